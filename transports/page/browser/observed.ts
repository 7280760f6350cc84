/** The machines of the server, while the page shows them. */
import { KnownActors } from "../../../projections/inspection/actors.ts";
import { type MachineChart, machineChart } from "../../../projections/inspection/chart.ts";
import { hear, type Told } from "./calls.ts";
import { changed, type OpenMachines, state } from "./state.ts";

export function openMachines(): void {
  if (state.machines !== null) return;
  const machines: OpenMachines = {
    known: new KnownActors(),
    charts: new Map(),
    stop: new AbortController(),
    fault: null,
  };
  state.machines = machines;
  const told = (events: Told[]): void => {
    for (const { event, data } of events)
      if (event === "begin") machines.known = new KnownActors();
      else machines.known.see(JSON.parse(data));
    changed();
  };
  const refused = ({ message }: Error): void => {
    machines.fault = message;
    changed();
  };
  void hear("/api/inspection", { told, refused, signal: machines.stop.signal });
}

export function closeMachines(): void {
  state.machines?.stop.abort();
  state.machines = null;
}

/** Each made once: a definition is the same for all machines of a kind. */
export function chartIn({ charts }: OpenMachines, definition: string): MachineChart {
  const chart = charts.get(definition) ?? machineChart(definition);
  charts.set(definition, chart);
  return chart;
}
