import { expect, test } from "vitest";
import { parse } from "../fixtures.ts";

const told = (source: string): string[] => parse(source).findings.map(({ line, message }) => `${line} ${message}`);

test.each([
  ["apiVersion: argoproj.io/v1\nkind: Workflow\nmetadata: {name: x}\nspec: {}\n", "1", "a manifest of Kubernetes"],
  ["name: CI\non: [push]\njobs:\n  build: {runs-on: ubuntu-latest, steps: []}\n", "3", "a workflow of GitHub Actions"],
  ["version: '3'\nservices:\n  db: {image: postgres}\n", "2", "a file of Docker Compose"],
])("a file of another program is one fault that says what it is: %j", (source, line, what) => {
  expect(told(source)).toEqual([expect.stringMatching(`^${line} this is ${what}.*, and no workflow of Troupe$`)]);
});

test("a workflow that has such a field beside its states, or another meaning, is read as one", () => {
  const states = "states: {initial: a, a: {type: terminal}}\n";
  expect(told(`name: x\napiVersion: v1\nkind: x\n${states}`)).toHaveLength(2);
  expect(told("name: x\njobs: {initial: a, a: {type: terminal}}\n")).toEqual(['2 the workflow has no field "jobs"']);
});
