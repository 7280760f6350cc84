/** Each part of a checkup is looked at, whatever the others say. */
import { expect, it } from "vitest";
import { checkup } from "../../../../actors/facade/checkup/checkup.ts";

it("reports a folder of workflows that may not be read, beside all else", async () => {
  const refused = Object.assign(new Error("EACCES: permission denied, lstat '/x'"), { code: "EACCES" });
  const { ok, checks, next } = await checkup({
    environment: { HOME: "/", PATH: "", TROUPE_HOME: "/" },
    workflows: () => Promise.reject(refused),
    findings: () => Promise.reject(refused),
    owned: () => Promise.reject(refused),
  });
  expect(ok).toBe(false);
  expect(checks.find(({ area }) => area === "workflows")).toMatchObject({ state: "fault", says: refused.message });
  expect(checks.some(({ area }) => area === "store")).toBe(true);
  expect(next).toBe("troupe error SYSTEM.IO.PERMISSION_DENIED");
});
