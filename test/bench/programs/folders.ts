/** Folders of a store that is filled: where few of its runs began, and where none did. */
export const FEW_RUNS = "/few";
export const NO_RUNS = "/none";
