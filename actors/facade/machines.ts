/** The durable machines, by the kind of their keys. */
import type { AnyStateMachine } from "xstate";
import { inputMachine } from "../../machines/input-machine.ts";
import { loopMachine } from "../../machines/loop-machine.ts";
import type { Kind } from "../../machines/model.ts";
import { parallelMachine } from "../../machines/parallel-machine.ts";
import { permissionMachine } from "../../machines/permission-machine.ts";
import { runMachine } from "../../machines/run-machine.ts";
import { sessionMachine } from "../../machines/session-machine.ts";
import { stepMachine } from "../../machines/step-machine.ts";
import { turnMachine } from "../../machines/turn-machine.ts";

export const MACHINES = {
  session: sessionMachine,
  turn: turnMachine,
  run: runMachine,
  step: stepMachine,
  parallel: parallelMachine,
  loop: loopMachine,
  permission: permissionMachine,
  input: inputMachine,
} as const satisfies { readonly [kind in Kind]: AnyStateMachine };
