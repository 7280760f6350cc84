/** What is done to runs from wherever one looks at them, by the same keys. */
import { type RunRecord, servedPage, type Troupe } from "../../actors/troupe.ts";
import { placeText } from "../../projections/page/place.ts";
import { asksMeanwhile, TAKES_LATER } from "../../projections/runs/asking.ts";
import { standsAs } from "../../projections/runs/standing.ts";
import { safeLine } from "../../projections/terminal/safe.ts";
import type { Io } from "../cli/io.ts";
import { showFile } from "../cli/open-page.ts";
import type { Runs } from "./runs.ts";
import type { UiStage } from "./view.ts";
import { AnswerView, type Drafts } from "./views/answer-view.ts";
import { PickView } from "./views/pick-view.ts";
import { withSecrets } from "./views/secrets-view.ts";
import { StepView } from "./views/step-view.ts";

export class Deeds {
  readonly #troupe: Troupe;
  readonly #runs: Pick<Runs, "screenOf">;
  readonly #stage: UiStage;
  readonly #io: Pick<Io, "cwd" | "env">;
  readonly #drafts: Drafts = new Map();

  constructor(troupe: Troupe, runs: Pick<Runs, "screenOf">, stage: UiStage, io: Pick<Io, "cwd" | "env">) {
    this.#troupe = troupe;
    this.#runs = runs;
    this.#stage = stage;
    this.#io = io;
  }

  /** False where the key means nothing for a run. `step`: the address of the one that is chosen in it. */
  press(key: string, run: RunRecord, step: string | null = null): boolean {
    switch (key) {
      case "a":
        this.#answer(run);
        return true;
      case "c":
        this.#cancel(run);
        return true;
      case "r":
        this.#resume(run);
        return true;
      case "R":
        this.#rerun(run);
        return true;
      case "o":
        this.#show(run, step);
        return true;
      default:
        return false;
    }
  }
  /** A new run. */
  begin(): void {
    this.#stage.open(new PickView(this.#troupe, this.#stage, this.#io.cwd));
  }
  /** What a step says, from its beginning on. */
  read(run: string, address: string): void {
    this.#stage.doing(this.#troupe.log(run).then((log) => this.#stage.open(new StepView(log, address, this.#stage))));
  }

  #answer(run: RunRecord): void {
    if (run.permissions.length + run.questions.length === 0) {
      const asks = run.status === "running" && asksMeanwhile(this.#runs.screenOf(run.id)?.fold.roots ?? []);
      this.#stage.say(asks ? `it ${TAKES_LATER}` : "it asks nothing now");
    } else this.#stage.open(new AnswerView(this.#troupe, run, this.#stage, this.#drafts));
  }
  #cancel(run: RunRecord): void {
    if (run.endedAt !== null) return this.#stage.say(`it ${standsAs(run.status)}`);
    this.#stage.confirm(`cancel ${safeLine(run.workflow)} ${run.id.slice(0, 8)}?`, async () => {
      const session = await this.#troupe.open(run.session);
      if (run.status === "running" || run.status === "waiting") await session.cancel();
      else await session.close();
    });
  }
  #resume(run: RunRecord): void {
    if (run.status === "parked") return this.#answer(run);
    if (!run.resumable && run.status !== "interrupted")
      return this.#stage.say(`it ${standsAs(run.status)}: only an interrupted run can be resumed`);
    this.#stage.doing(this.#goOn((inputs) => this.#troupe.resume(run.id, { recover: "ask", inputs })));
  }
  /** What failed of it, or all of it where nothing did. */
  #rerun(run: RunRecord): void {
    if (run.endedAt === null) return this.#stage.say(`it is ${run.status}: a run is done again when it has ended`);
    const failed = run.status === "failed";
    const what = `${safeLine(run.workflow)} ${run.id.slice(0, 8)}`;
    this.#stage.confirm(`run ${what} again, ${failed ? "from what failed of it on" : "from its beginning"}?`, () =>
      this.#goOn((inputs) => this.#troupe.rerun(run.id, { failed, consent: "ask", inputs })),
    );
  }
  async #goOn(act: Parameters<typeof withSecrets>[1]): Promise<void> {
    const gone = await withSecrets(this.#stage, act);
    if (gone === null) return this.#stage.say("nothing was given: it stays as it is");
    this.#stage.choose(gone.id);
    this.#stage.carrying(gone.done);
  }
  /** In the page of a server of this user. */
  #show(run: RunRecord, step: string | null): void {
    const page = servedPage(this.#io.env);
    if (page === null) return this.#stage.say("no server of yours runs: troupe serve has the page");
    const address = `${page}#${placeText({ view: "run", run: run.id, step, seq: null, line: null })}`;
    showFile(this.#io, address);
    this.#stage.say(address);
  }
}
