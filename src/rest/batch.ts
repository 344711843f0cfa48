import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Operation } from '../access/operation.ts';
import type { CallScope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import type { OutcomeOf } from '../services/in-turn.ts';
import { closedObject } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { costOfBatch, eachByItself, outcomeOf, refusalProperties, serializeRefusal } from './refusals.ts';
import { route, type RestApp } from './route.ts';
import type { AnyRoute } from './route-facts.ts';
import { titled } from './views.ts';

interface BatchRoute<R> extends Pick<AnyRoute, 'url' | 'tag' | 'summary' | 'description' | 'exampleFields'> {
  readonly calls: Operation<TSchema, OutcomeOf<R>[]>;
  /** Name of the shapes, and of the field of a result that has the row. */
  readonly title: string;
  readonly field: string;
  /** One input, and the row that comes of it. */
  readonly input: TObject;
  readonly row: TSchema;
  readonly serializeAll: (scope: CallScope, rows: readonly R[]) => Promise<(row: R) => object>;
}

/** Adds the route of a batch that creates rows, each with a result of its own. */
export function batchRoute<R>(
  app: RestApp,
  { calls, title, field, input, row, serializeAll, description = '', ...facts }: BatchRoute<R>,
): void {
  const Outcome = outcomeOf(`${title}Outcome`, field, { row, refusal: titled(`${title}Refusal`, refusalProperties) });
  route(app, {
    ...facts,
    method: 'POST',
    calls,
    isExtension: true,
    description: `${description} ${eachByItself} ${costOfBatch}.`,
    body: closedObject({
      inputs: Type.Array(input, { maxItems: limits.namedItemsMax, description: 'The new rows.' }),
    }),
    status: 201,
    response: envelope(Type.Array(Outcome)),
    handle: async (scope, { body, log }) => {
      const outcomes = await calls(scope, body);
      const rows = outcomes.flatMap((outcome) => ('row' in outcome ? [outcome.row] : []));
      const serialize = await serializeAll(scope, rows);
      return answer(
        outcomes.map((outcome) =>
          'row' in outcome
            ? { [field]: serialize(outcome.row), error: null }
            : { [field]: null, error: serializeRefusal(outcome.failure, log, { input }) },
        ) as Static<typeof Outcome>[],
      );
    },
  });
}
