/** The JSON Schema of workflow files, for editors. */
export { workflowJsonSchema } from "../machines/workflow/schema/json-schema.ts";
