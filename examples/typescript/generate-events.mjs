/** Writes the types of the events: node generate-events.mjs URL FILE */

import { writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const [url = "", file = ""] = process.argv.slice(2);
const response = await fetch(url);
if (!response.ok) throw new Error(`${url}: ${response.status}`);
const { info, components } = await response.json();
// The schemas of AsyncAPI and OpenAPI are the same; the generator reads only OpenAPI.
const types = await openapiTS({ openapi: "3.1.0", info, paths: {}, components: { schemas: components.schemas } });
await writeFile(file, astToString(types));
