// Stryker runs tests in threads, where no mask of files can be set: there it is left as it is.
import { isMainThread } from "node:worker_threads";

if (!isMainThread) process.umask = () => 0o022;
