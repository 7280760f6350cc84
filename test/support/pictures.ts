/** The smallest real files of their kinds. */

/** One transparent pixel. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
/** No sample at all. */
export const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

export const image = { type: "image", mimeType: "image/png", data: PNG } as const;
export const audio = { type: "audio", mimeType: "audio/wav", data: WAV } as const;
