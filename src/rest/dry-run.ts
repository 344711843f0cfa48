import Type, { type TObject } from 'typebox';
import { compile } from '../validation/compile.ts';
import { closedObject } from '../validation/schemas.ts';

/* `?dry_run=true` shows what a change would do: it is made with all its rules, and rolled back. */

const dryRunQuery = closedObject({
  dry_run: Type.Optional(
    Type.Boolean({
      description:
        'With `true`, nothing is stored: the answer is what it would be, or the refusal, and has the header `Callboard-Dry-Run`. An extension.',
    }),
  ),
});
const checkDryRun = compile(dryRunQuery);

/** Adds the parameter to a query. */
export const withDryRunQuery = (query: TObject | undefined): TObject =>
  Type.Object({ ...query?.properties, ...dryRunQuery.properties });

/** Takes the parameter out of a query, because no operation knows it, and checks it. */
export function takeDryRun(sent: Record<string, unknown>): boolean {
  const text = sent['dry_run'];
  delete sent['dry_run'];
  const isText = text === 'true' || text === 'false';
  return checkDryRun(text === undefined ? {} : { dry_run: isText ? text === 'true' : text }).dry_run === true;
}
