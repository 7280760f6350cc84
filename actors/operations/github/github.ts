/**
 * `github.*`: issues, pull requests, labels and comments. Outputs have the names and forms that AWF's have, which are
 * those of GitHub's own command line.
 */
import { z } from "zod";
import { type Json, own } from "../../../machines/model.ts";
import { fieldsAt, fieldsOf, listAt, listOf, numberAt, textAt } from "../../base/json.ts";
import { flag, list, needed, text, whole } from "../fields.ts";
import { checkedInputs, type Operation, type OperationEnd, type Outputs } from "../operation.ts";
import { ask, type RestRequest, type RestResponse, repoOf } from "./rest.ts";

const repo = { repo: text("owner/name").nullish() };
const number = { number: whole(1) };
const texts = list(needed(), "a list of texts");
const MAX_PAGES = 20;
const PAGE = 100;

type Made = { outputs: Outputs; told: string };
const end = (answer: RestResponse, make: (data: Json) => Made): OperationEnd =>
  answer.ok ? { ok: true, ...make(answer.data) } : { ok: false, message: answer.message };

const read = z.strictObject({ ...number, ...repo, fields: texts.nullish() });
const labelsOf = (data: Json): Json[] =>
  listAt(fieldsOf(data), "labels").map((label) => {
    const fields = fieldsOf(label);
    return { name: textAt(fields, "name"), color: textAt(fields, "color"), description: textAt(fields, "description") };
  });
const chosen = (outputs: Outputs, fields: readonly string[] | null | undefined): Outputs =>
  fields === null || fields === undefined || fields.length === 0
    ? outputs
    : Object.fromEntries(Object.entries(outputs).filter(([name]) => fields.includes(name)));

export const getIssue: Operation = async (call) => {
  const given = checkedInputs(read, call);
  const where = await repoOf(given.repo, call);
  return end(await ask({ path: `/repos/${where}/issues/${given.number}` }, call), (data) => {
    const fields = fieldsOf(data);
    const outputs: Outputs = {
      number: numberAt(fields, "number"),
      title: textAt(fields, "title"),
      body: textAt(fields, "body") ?? "",
      state: (textAt(fields, "state") ?? "").toUpperCase(),
      labels: labelsOf(data),
      url: textAt(fields, "html_url"),
    };
    return { outputs: chosen(outputs, given.fields), told: `${where}#${given.number}: ${textAt(fields, "title")}` };
  });
};

export const getPr: Operation = async (call) => {
  const given = checkedInputs(read, call);
  const where = await repoOf(given.repo, call);
  return end(await ask({ path: `/repos/${where}/pulls/${given.number}` }, call), (data) => {
    const fields = fieldsOf(data);
    const mergeable = own(fields, "mergeable");
    const mergedAt = textAt(fields, "merged_at");
    const outputs: Outputs = {
      number: numberAt(fields, "number"),
      title: textAt(fields, "title"),
      body: textAt(fields, "body") ?? "",
      state: mergedAt === null ? (textAt(fields, "state") ?? "").toUpperCase() : "MERGED",
      headRefName: textAt(fieldsAt(fields, "head"), "ref"),
      baseRefName: textAt(fieldsAt(fields, "base"), "ref"),
      mergeable: mergeable === true ? "MERGEABLE" : mergeable === false ? "CONFLICTING" : "UNKNOWN",
      mergedAt,
      labels: labelsOf(data),
      url: textAt(fields, "html_url"),
    };
    return { outputs: chosen(outputs, given.fields), told: `${where}#${given.number}: ${textAt(fields, "title")}` };
  });
};

const created = (data: Json, what: string): Made => {
  const fields = fieldsOf(data);
  const url = textAt(fields, "html_url") ?? "";
  return { outputs: { number: String(numberAt(fields, "number") ?? ""), url }, told: `${what} ${url}` };
};

const newPr = z.strictObject({
  title: needed(),
  head: needed("the branch with the changes"),
  base: needed("the branch to merge into"),
  body: text().nullish(),
  draft: flag().nullish(),
  ...repo,
});
/** A pull request that is open for the same branches already is no failure. */
export const createPr: Operation = async (call) => {
  const { title, head, base, body, draft, repo: named } = checkedInputs(newPr, call);
  const where = await repoOf(named, call);
  const asked = { title, head, base, body: body ?? "", draft: draft === true };
  const made = (data: Json, already: boolean, what: string): Made => {
    const { outputs, told } = created(data, what);
    return { outputs: { ...outputs, already_exists: String(already) }, told };
  };
  const answer = await ask({ method: "POST", path: `/repos/${where}/pulls`, body: asked }, call);
  if (answer.ok || answer.status !== 422 || !answer.message.includes("already exists")) {
    return end(answer, (data) => made(data, false, "opened"));
  }
  const owner = where.split("/")[0] ?? "";
  const query = new URLSearchParams({ head: head.includes(":") ? head : `${owner}:${head}`, base, state: "open" });
  const found = await ask({ path: `/repos/${where}/pulls?${query}` }, call);
  const first = found.ok ? listOf(found.data)[0] : undefined;
  return first === undefined
    ? end(answer, () => made(null, false, ""))
    : end({ ok: true, data: first }, (data) => made(data, true, "is open already:"));
};

const newIssue = z.strictObject({
  title: needed(),
  body: text().nullish(),
  labels: texts.nullish(),
  assignees: texts.nullish(),
  ...repo,
});
export const createIssue: Operation = async (call) => {
  const { title, body, labels, assignees, repo: named } = checkedInputs(newIssue, call);
  const where = await repoOf(named, call);
  const asked = { title, body: body ?? "", labels: labels ?? [], assignees: assignees ?? [] };
  return end(await ask({ method: "POST", path: `/repos/${where}/issues`, body: asked }, call), (data) =>
    created(data, "opened"),
  );
};

const labelling = z.strictObject({
  ...number,
  ...repo,
  labels: texts.refine((all) => all.length > 0, { error: "at least one label" }),
});
export const addLabels: Operation = async (call) => {
  const { number: issue, labels, repo: named } = checkedInputs(labelling, call);
  const where = await repoOf(named, call);
  const path = `/repos/${where}/issues/${issue}/labels`;
  return end(await ask({ method: "POST", path, body: { labels } }, call), () => ({
    outputs: { labels: labels.join(",") },
    told: `${where}#${issue}: labelled ${labels.join(", ")}`,
  }));
};

const commenting = z.strictObject({ ...number, ...repo, body: needed("the comment's text") });
export const addComment: Operation = async (call) => {
  const { number: issue, body, repo: named } = checkedInputs(commenting, call);
  const where = await repoOf(named, call);
  const asked: RestRequest = { method: "POST", path: `/repos/${where}/issues/${issue}/comments`, body: { body } };
  return end(await ask(asked, call), (data) => {
    const url = textAt(fieldsOf(data), "html_url") ?? "";
    return { outputs: { comment_id: String(numberAt(fieldsOf(data), "id") ?? ""), url }, told: `commented ${url}` };
  });
};

const listing = z.strictObject({ ...number, ...repo, limit: whole(1).nullish() });
export const listComments: Operation = async (call) => {
  const { number: issue, limit, repo: named } = checkedInputs(listing, call);
  const where = await repoOf(named, call);
  const comments: Json[] = [];
  const most = limit ?? MAX_PAGES * PAGE;
  for (let page = 1; page <= MAX_PAGES && comments.length < most; page += 1) {
    const answer = await ask({ path: `/repos/${where}/issues/${issue}/comments?per_page=${PAGE}&page=${page}` }, call);
    if (!answer.ok) return { ok: false, message: answer.message };
    const found = listOf(answer.data);
    comments.push(...found.map(commentOf));
    if (found.length < PAGE) break;
  }
  const kept = comments.slice(0, most);
  return {
    ok: true,
    outputs: { comments: kept, total: kept.length },
    told: `${where}#${issue}: ${kept.length} comments`,
  };
};

function commentOf(comment: Json): Json {
  const fields = fieldsOf(comment);
  return {
    id: String(numberAt(fields, "id") ?? ""),
    author: { login: textAt(fieldsAt(fields, "user"), "login") },
    body: textAt(fields, "body"),
    createdAt: textAt(fields, "created_at"),
    url: textAt(fields, "html_url"),
  };
}

/** What `github.batch` may call. */
export const SINGLE: { readonly [name: string]: Operation } = {
  "github.get_issue": Object.assign(getIssue, { inputs: read }),
  "github.get_pr": Object.assign(getPr, { inputs: read }),
  "github.create_pr": Object.assign(createPr, { inputs: newPr }),
  "github.create_issue": Object.assign(createIssue, { inputs: newIssue }),
  "github.add_labels": Object.assign(addLabels, { inputs: labelling }),
  "github.add_comment": Object.assign(addComment, { inputs: commenting }),
  "github.list_comments": Object.assign(listComments, { inputs: listing }),
};
