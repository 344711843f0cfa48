import { withoutCoding } from './compression.ts';

const tags = /(?:W\/)?"[!#-~\u0080-\u00ff]*"/g;

/** What a tag names, weak or not, and of bytes that are compressed or not. */
const named = (etag: string): string => withoutCoding(etag.replace(/^W\//, ''));

export const isAnyTag = (header: string): boolean => header.trim() === '*';

/** Whether the list of If-None-Match has the tag: compared weakly, as that header asks for. */
export const hasTag = (header: string, etag: string): boolean =>
  header === etag || (header.match(tags) ?? []).some((tag) => named(tag) === named(etag));
