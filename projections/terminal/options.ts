/** How a terminal is written to. */
export type TerminalOptions = {
  colours: boolean;
  /** Width that one-line texts are cut to; null cuts nothing. Running text is left to the terminal. */
  columns: number | null;
  /** Rows up to this seq inform the view and are not shown. */
  after?: number;
  /** What steps wrote to standard error is as bright as the rest: it is what the reader has come for. */
  bright?: boolean;
  /** Whether a later command finds the run; by default it does. */
  keeps?: boolean;
};
