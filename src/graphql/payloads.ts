import { Kind, type FragmentDefinitionNode, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';
import { FieldResolver, Resolver, Root, UseMiddleware, type ClassType, type ResolverData } from 'type-graphql';
import { Failure } from '../errors.ts';
import { CallTime } from '../model/call-times.ts';
import { Event } from '../model/events.ts';
import {
  CallTimePayload,
  CallTimesPayload,
  EventPayload,
  Moved,
  ShiftPayload,
  type Payload,
} from '../model/payloads.ts';
import { WorkShift } from '../model/work-shifts.ts';
import type { Reworked, WithReworked } from '../services/attendance-plan.ts';
import type { ChangedEventRow } from '../services/events.ts';
import { readClashes } from '../services/staffing.ts';
import type { Context } from './context.ts';

/**
 * The mutation returns a payload: the row that its method returns, or the clashes that stand against it. A refusal stays an
 * error with code CLASH. It is that of the row if the operation asks for `clashes`, and otherwise that of the mutation.
 */
export function MayClash(): MethodDecorator {
  return UseMiddleware(async ({ info }: ResolverData<Context>, next): Promise<Payload> => {
    try {
      const row = (await next()) as unknown;
      return { row, clashes: [], reworked: reworkedOf(row) };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'CLASH' || !asksForClashes(info)) throw error;
      return { refusal: error, clashes: readClashes(error), reworked: [] };
    }
  });
}

type Changed = WithReworked<{ readonly event?: WithReworked<object> }> | null | undefined;

const reworkedOf = (row: unknown): readonly Reworked[] =>
  [row].flat().flatMap((one) => (one as Changed)?.reworked ?? (one as Changed)?.event?.reworked ?? []);

function asksForClashes({ fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  return fieldNodes.some(({ selectionSet }) => selectsClashes(selectionSet, fragments));
}

function selectsClashes(
  selectionSet: SelectionSetNode | undefined,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): boolean {
  return (selectionSet?.selections ?? []).some((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value === 'clashes';
    const inner = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
    return selectsClashes(inner?.selectionSet, fragments);
  });
}

/** Makes the resolver of the row that a payload shows. */
function createRowResolver(payload: ClassType<Payload>, row: ClassType | [ClassType], name: string, what: string) {
  @Resolver(() => payload)
  class PayloadResolver {
    @FieldResolver(() => row, {
      name,
      nullable: true,
      description: `The ${what}; null, with an error of code CLASH, if clashes stand against it.`,
    })
    row(@Root() result: Payload) {
      if (result.refusal) throw result.refusal;
      return result.row;
    }
  }
  return PayloadResolver;
}

@Resolver(() => EventPayload)
class MovedResolver {
  @FieldResolver(() => Moved, {
    nullable: true,
    description: 'What has moved with the event; null if nothing has.',
  })
  moved(@Root() { row }: Payload) {
    return (row as ChangedEventRow | undefined)?.moved ?? null;
  }
}

export const payloadResolvers = [
  MovedResolver,
  createRowResolver(EventPayload, Event, 'event', 'changed event, or the copy'),
  createRowResolver(CallTimePayload, CallTime, 'callTime', 'changed call time'),
  createRowResolver(
    CallTimesPayload,
    [CallTime],
    'callTimes',
    'call times in the order of the changes, deleted ones as they were',
  ),
  createRowResolver(ShiftPayload, WorkShift, 'shift', 'new or changed shift'),
];
