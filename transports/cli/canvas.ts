/** What a stream of a terminal can do: colours, and being drawn on. */
import type { Canvas, Environment } from "./io.ts";

/** FORCE_COLOR goes before NO_COLOR, as in Node itself; "0" and "false" mean none. */
export function isColoured({ isTTY }: Pick<NodeJS.WriteStream, "isTTY">, env: Environment): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTTY === true && !NO_COLOR && TERM !== "dumb";
}

/** Node's own answer to the signal, which is documented by its effects alone. */
type Asked = { _refreshSize?: () => void };

export function canvasOf(stream: NodeJS.WriteStream, env: Environment): Canvas | null {
  if (!stream.isTTY || !stream.columns || !stream.rows || env["TERM"] === "dumb") return null;
  const asked = stream as NodeJS.WriteStream & Asked;
  return {
    measure: () => asked._refreshSize?.(),
    columns: () => stream.columns,
    rows: () => stream.rows,
    write: (text) => void stream.write(text),
    onChange: (act) => {
      stream.on("resize", act);
      process.on("SIGCONT", act);
      return () => {
        stream.off("resize", act);
        process.off("SIGCONT", act);
      };
    },
    onLeave: (act) => {
      process.on("exit", act);
      // Before the listener that stops the process.
      process.prependListener("SIGTSTP", act);
      return () => {
        process.off("exit", act);
        process.off("SIGTSTP", act);
      };
    },
    later: (ms, act) => {
      const timer = setTimeout(act, ms).unref();
      return () => clearTimeout(timer);
    },
  };
}
