export function atEnd(work: () => unknown): void;
export function endProcess(): Promise<void>;
