/**
 * The page's policy demands Trusted Types: a string becomes HTML or a script address only here.
 * `inertHtml` is for a `DOMParser`, whose documents run nothing and load nothing.
 */

interface Policy {
  createHTML(text: string): string;
  createScriptURL(address: string): string;
}
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined;

const WORKER = "/app/service-worker.js";
const rules: Policy = {
  createHTML: (text) => text,
  createScriptURL(address) {
    if (address !== WORKER) throw new TypeError("Only the service worker may be loaded.");
    return address;
  },
};
// Browsers without Trusted Types take the strings.
const policy = typeof trustedTypes === "undefined" ? rules : trustedTypes.createPolicy("web-app", rules);

export const workerAddress = (): string => policy.createScriptURL(WORKER);

/** The document that a text of HTML describes. Nothing in it runs or is loaded. */
export function inertDocument(text: string): Document {
  return new DOMParser().parseFromString(policy.createHTML(text), "text/html");
}
