// How the APIs name what went wrong.
export const ERROR_TYPES = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** An error of either of OpenAI's APIs. */
export const openaiRefusal = (status, message) => ({
  error: {
    message,
    type: ERROR_TYPES[status] ?? "server_error",
    param: null,
    code: status === 401 ? "invalid_api_key" : status === 429 ? "rate_limit_exceeded" : null,
  },
});
