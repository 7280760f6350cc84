import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { directoriesOf } from "../../../actors/effects/directories.ts";

test("those that are there are opened to agents; what is not is named", () => {
  const notes: string[] = [];
  const note = (message: string): void => void notes.push(message);
  expect(directoriesOf([tmpdir(), "/nope/there", import.meta.filename], note)).toEqual({ directories: [tmpdir()] });
  expect(notes).toEqual([
    "the folder /nope/there is not there: agents work without it",
    `the folder ${import.meta.filename} is not there: agents work without it`,
  ]);
  expect(directoriesOf(undefined, note)).toEqual({});
  expect(directoriesOf([], note)).toEqual({});
  expect(notes).toHaveLength(2);
});
