/** Write the types of the API and of the socket's events: node generate-types.mjs FOLDER
 *
 * FOLDER holds openapi.json and events.json, written by write_schemas.py.
 */
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const [folder = "schemas"] = process.argv.slice(2);
const read = async (name) => JSON.parse(await readFile(`${folder}/${name}`, "utf8"));

const schema = await read("openapi.json");
await writeFile("src/api/schema.d.ts", astToString(await openapiTS(schema)));

// The schemas of AsyncAPI and OpenAPI are the same; the generator reads only OpenAPI.
const { info, components } = await read("events.json");
const events = { openapi: "3.1.0", info, paths: {}, components: { schemas: components.schemas } };
await writeFile("src/api/events.d.ts", astToString(await openapiTS(events)));
