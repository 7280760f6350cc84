/** Where the user's store lies. */
import { join } from "node:path";
import { type Environment, userFolders } from "../base/user-folders.ts";

const STORE_FILE = "troupe.db";
/** Where the store lies, or will lie. Throws USER.CLI.USAGE. */
export const storeFileOf = (environment: Environment): string => join(userFolders(environment).state, STORE_FILE);
