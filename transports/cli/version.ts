/** The version of this program: package.json's, read when the program is built. */
import manifest from "../../package.json" with { type: "json" };

export const version: string = manifest.version;
