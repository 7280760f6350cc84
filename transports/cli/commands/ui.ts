/** `troupe ui`: every run of this user, to look at and to answer, on a terminal. */
import type { Troupe } from "../../../actors/troupe.ts";
import { frameLines } from "../../../projections/ui/frame.ts";
import { fullScreen, plainLines } from "../../ui/painters.ts";
import { Ui } from "../../ui/ui.ts";
import { usage } from "../failure.ts";
import type { CommandContext, Io } from "../io.ts";
import { inProject } from "../project.ts";
import { withTroupe } from "../with-troupe.ts";

/** `plain`: lines for a screen reader. */
export async function ui(
  context: CommandContext,
  { plain, trustAgent }: { plain: boolean; trustAgent: readonly string[] },
): Promise<number> {
  const { io } = inProject(context);
  const { canvas, keys } = io;
  if (canvas === null || keys === null) throw usage(`${lacksIn(io)}: troupe history and troupe status print`);
  const painter = plain ? plainLines(io, canvas) : fullScreen(io, canvas);
  // The first frame waits for nothing.
  painter.show((place) => frameLines(EMPTY, { ...place, colours: io.colours }));
  painter.now();
  try {
    const live = async (troupe: Troupe): Promise<number> => {
      const own = new Ui(troupe, io, canvas, painter);
      const unlisten = keys((key) => own.press(key));
      const unstop = io.onStop((why) => (why === "interrupt" ? own.press("ctrl-c") : own.end()));
      try {
        await own.live();
        return 0;
      } finally {
        unlisten();
        unstop();
      }
    };
    return await withTroupe(io, live, { trustAgents: trustAgent });
  } finally {
    painter.end();
  }
}

function lacksIn({ keys, columns, env }: Pick<Io, "keys" | "columns" | "env">): string {
  const isShown = keys !== null && columns !== null;
  return isShown && env["TERM"] === "dumb" ? "a terminal cannot be drawn on with TERM=dumb" : "it needs a terminal";
}

const EMPTY = { title: "troupe", right: [], body: [], keys: [], notice: "reading the runs" };
