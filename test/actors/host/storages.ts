/** Sessions and their actors, for tests of both storages. */
import fc from "fast-check";

export const id = fc.constantFrom("one", "two", "limit");
