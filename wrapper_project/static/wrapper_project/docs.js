// Swagger UI, with what screen readers and keyboards need.
"use strict";

const schema = document.currentScript.dataset.schema;

const accessible = {
  wrapComponents: {
    // A link inside a button; the button does the same.
    DeepLink: (Original, { React }) => ({ text }) => React.createElement("span", null, text),
    // Its list has no name.
    ExamplesSelect: (Original, { React }) => (props) =>
      React.createElement(
        "label",
        null,
        React.createElement("span", { className: "unseen" }, "Example"),
        React.createElement(Original, props),
      ),
    // Outside every landmark.
    InfoContainer: (Original, { React }) => (props) =>
      React.createElement("header", { role: "banner" }, React.createElement(Original, props)),
    // The title is a heading of level 1, the groups of operations have level 3.
    operations: (Original, { React }) => (props) =>
      React.createElement(
        React.Fragment,
        null,
        React.createElement("h2", { className: "unseen" }, "Operations"),
        React.createElement(Original, props),
      ),
  },
};

SwaggerUIBundle({
  url: schema,
  dom_id: "#swagger-ui",
  deepLinking: true,
  showExtensions: true, // x-error-codes
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [accessible],
  layout: "BaseLayout",
});
