import { render } from "preact";
import { registerServiceWorker } from "./lib/service_worker";
import { watchForWaking } from "./lib/waking";
import { start } from "./session/session";
import { App } from "./shell/app";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/ui.css";
import "./styles/shell.css";
import "./styles/school.css";
import "./styles/chat.css";
import "./styles/people.css";

registerServiceWorker();
watchForWaking();
void start();
const root = document.getElementById("app");
if (root) render(<App />, root);
