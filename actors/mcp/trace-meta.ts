/** How a call of MCP, or a prompt of ACP, says what trace it belongs to: `traceparent` in its `_meta`, as both have it. */

export const traceMeta = (traceparent: string | undefined): { _meta?: { traceparent: string } } =>
  traceparent === undefined ? {} : { _meta: { traceparent } };
