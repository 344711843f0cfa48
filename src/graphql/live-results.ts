import { hash } from 'node:crypto';
import {
  execute,
  GraphQLError,
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
} from 'graphql';
import { AnswerTooLarge } from '../errors.ts';
import type { ReadyForMore } from '../http/event-streams.ts';
import type { LiveItems } from '../services/live.ts';
import { describeExcess, findExcess } from './answer-limits.ts';
import { withLoaders, type Context } from './context.ts';
import { formatResult } from './failures.ts';

/** One operation of a stream, as it is executed for each of its items. */
export interface LiveOperation {
  readonly args: Omit<ExecutionArgs, 'contextValue' | 'rootValue'>;
  readonly context: Context;
  /** Resolves when the client has taken what was sent, and it is paid for. */
  readonly ready: ReadyForMore;
}

/** A result of a stream, and the objects that it holds. */
interface LiveResult {
  readonly result: FormattedExecutionResult;
  readonly objects: number;
}

const over = { done: true, value: undefined } as const;

/**
 * Results of a subscription: each item of its source is executed with loaders of its own, so that no row is older than its tick. A
 * failure of the source is the last result. Written by hand, as `LiveTicks` is, so that it ends at once.
 */
export class LiveResults implements AsyncIterableIterator<ExecutionResult, undefined> {
  readonly #source: LiveItems<object>;
  readonly #operation: LiveOperation;
  readonly #digest: string;
  #isOver = false;

  constructor(source: LiveItems<object>, operation: LiveOperation) {
    this.#source = source;
    this.#operation = operation;
    this.#digest = digestOperation(operation.args);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    if (this.#isOver) return over;
    const { context, ready } = this.#operation;
    try {
      this.#source.endTurn();
      await ready(this.#source);
      const { done, value } = await this.#source.next();
      if (done) return over;
      const compute = () => shareResult(value, this.#digest, () => this.#execute(value));
      const { result, objects } = await this.#source.compute(compute);
      if (context.record.stream) context.record.stream.objects += objects;
      return { done: false, value: asSent(new SentResult(result)) };
    } catch (error) {
      await this.return();
      return { done: false, value: asSent(formatResult({ errors: [asGraphqlError(error)] }, context)) };
    }
  }

  async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    this.#isOver = true;
    await this.#source.return();
    return over;
  }

  throw(): Promise<IteratorResult<ExecutionResult, undefined>> {
    return this.return();
  }

  /** Throws if the result exceeds what one answer may take. */
  async #execute(item: object): Promise<LiveResult> {
    const { args, context } = this.#operation;
    const { answer } = context.record;
    const contextValue = withLoaders(context);
    const result = await execute({ ...args, rootValue: item, contextValue });
    const excess = findExcess(answer, result.data);
    if (excess) throw excess;
    return { result: formatResult(result, context), objects: answer.objects };
  }
}

/** A result that is printed once: graphql-sse keeps the last one of each stream until the next one comes. */
class SentResult {
  #result: FormattedExecutionResult | null;

  constructor(result: FormattedExecutionResult) {
    this.#result = result;
  }

  toJSON(): FormattedExecutionResult | null {
    const result = this.#result;
    this.#result = null;
    return result;
  }
}

/** graphql-sse prints what it gets, and expects the type of results whose errors it could still format. */
const asSent = (result: FormattedExecutionResult | SentResult): ExecutionResult => result as ExecutionResult;

/** A single result, where there is nothing to follow. */
export async function* onlyResult(result: FormattedExecutionResult): AsyncGenerator<ExecutionResult, undefined> {
  yield asSent(result);
}

/**
 * Results by item and operation. Streams of equal rights get the same item at a tick, and those with the same operation get the
 * same result of it, which is executed once. An item is held by its tick only, and so are its results.
 */
const resultsByItem = new WeakMap<object, Map<string, Promise<LiveResult>>>();

function shareResult(item: object, digest: string, run: () => Promise<LiveResult>): Promise<LiveResult> {
  const results = resultsByItem.get(item) ?? new Map<string, Promise<LiveResult>>();
  resultsByItem.set(item, results);
  const known = results.get(digest);
  if (known) return known;
  const result = run();
  results.set(digest, result);
  // What does not fit does not fit another stream; any other failure may pass.
  result.catch((error: unknown) => error instanceof AnswerTooLarge || results.delete(digest));
  return result;
}

function digestOperation({ document, operationName, variableValues }: LiveOperation['args']): string {
  const parts = [document.loc?.source.body, operationName, variableValues];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  if (!(error instanceof AnswerTooLarge)) return new GraphQLError('', { originalError: error as Error });
  const { message, extensions } = describeExcess(error);
  return new GraphQLError(message, { extensions });
}
