/** What is done to runs from wherever one looks at them, by the same keys. */
import type { RunRecord, Troupe } from "../../actors/troupe.ts";
import { safeLine } from "../../projections/terminal/safe.ts";
import type { UiStage } from "./view.ts";
import { AnswerView } from "./views/answer-view.ts";
import { PickView } from "./views/pick-view.ts";
import { StepView } from "./views/step-view.ts";

export class Deeds {
  readonly #troupe: Troupe;
  readonly #stage: UiStage;
  readonly #cwd: string;

  constructor(troupe: Troupe, stage: UiStage, cwd: string) {
    this.#troupe = troupe;
    this.#stage = stage;
    this.#cwd = cwd;
  }

  /** False where the key means nothing for a run. */
  press(key: string, run: RunRecord): boolean {
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
      default:
        return false;
    }
  }
  /** A new run. */
  begin(): void {
    this.#stage.open(new PickView(this.#troupe, this.#stage, this.#cwd));
  }
  /** What a step says, from its beginning on. */
  read(run: string, address: string): void {
    this.#stage.doing(this.#troupe.log(run).then((log) => this.#stage.open(new StepView(log, address, this.#stage))));
  }

  #answer(run: RunRecord): void {
    if (run.permissions.length + run.questions.length === 0) this.#stage.say("it asks nothing now");
    else this.#stage.open(new AnswerView(this.#troupe, run, this.#stage));
  }
  #cancel(run: RunRecord): void {
    if (run.endedAt !== null) return this.#stage.say(`it has ended: ${run.status}`);
    this.#stage.confirm(`cancel ${safeLine(run.workflow)} ${run.id.slice(0, 8)}?`, async () => {
      const session = await this.#troupe.open(run.session);
      if (run.status === "running" || run.status === "waiting") await session.cancel();
      else await session.close();
    });
  }
  #resume(run: RunRecord): void {
    if (run.status === "parked") return this.#answer(run);
    if (!run.resumable) return this.#stage.say(`it is ${run.status}: only an interrupted run can be resumed`);
    this.#stage.doing(this.#troupe.resume(run.id, { recover: "ask" }).then(({ done }) => this.#stage.carrying(done)));
  }
}
