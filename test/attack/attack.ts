import type { Answer, Target } from './target.ts';

export interface Attack {
  readonly name: string;
  /** The bound that it tries, as the guide for operators names it. */
  readonly tries: 'objects' | 'documents' | 'bytes' | 'statements' | 'exports' | 'hashes' | 'streams';
  /** Whether it is part of the short form. */
  readonly isShort?: boolean;
  /** Largest answer of 200 that is all right, in bytes. */
  readonly bytesMax?: number;
  /** Answers other than 4xx, 503 and small ones of 200 that are all right, such as exports that are cut. */
  readonly mayAnswer?: (answer: Answer) => boolean;
  /** Sends its requests through the target, which keeps count. Returns what is wrong apart from the answers. */
  readonly run: (target: Target) => Promise<string[] | void>;
}

export const bytesMaxUsually = 9_000_000;

/** Says what is wrong with the answer to an attack; null if nothing is. */
export function faultOf({ bytesMax = bytesMaxUsually, mayAnswer }: Attack, answer: Answer): string | null {
  const { status, bytes, isInternal, isWhole, head } = answer;
  if (mayAnswer?.(answer)) return null;
  if (status === 0) return 'no answer';
  if (isInternal || (status >= 500 && status !== 503)) return `${status} ${head.slice(0, 160)}`;
  if (status < 400 && !isWhole) return `${status}, cut after ${bytes} bytes`;
  if (status < 400 && bytes > bytesMax) return `${status} with ${Math.round(bytes / 1e6)} MB`;
  return null;
}
