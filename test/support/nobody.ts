/** Answers every question of a run as a face does where no person is there. */
import type { Run } from "../../actors/troupe.ts";

export function nobodyAnswers({ session }: Run): void {
  session.log$().subscribe({
    next: (frames) => {
      for (const frame of frames)
        if (frame.type === "permission.requested")
          session.decide(frame.payload.permission, null).catch(() => undefined);
    },
    error: () => undefined,
  });
}
