import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { type DocumentNode, type FormattedExecutionResult, stripIgnoredCharacters } from 'graphql';
import { LRUCache } from 'lru-cache';
import { limits } from '../config/limits.ts';
import type { Context } from './context.ts';

interface Asked {
  readonly document: DocumentNode;
  readonly operationName?: string | undefined;
  readonly variables?: object | null | undefined;
}

/**
 * Remembers the answers to operations that read nothing but the schema, as text: they are the same for every caller. Documents that
 * differ in comments and spaces alone are equal.
 */
export class IntrospectionTexts {
  readonly #texts = new LRUCache<string, string>({
    maxSize: limits.graphqlIntrospectionBytes,
    sizeCalculation: (text, key) => text.length + key.length,
  });
  /** The text of an answer, by the object that stands for its data. */
  readonly #textOf = new WeakMap<object, string>();
  /** What an answer is remembered by, by its data. */
  readonly #keyOf = new WeakMap<object, string>();

  /** What an answer is remembered by; null if its variables are too long. */
  keyFor({ document, operationName = '', variables }: Asked): string | null {
    const values = JSON.stringify(variables ?? {});
    if (!document.loc || values.length > limits.textChars) return null;
    return `${operationName}\n${values}\n${stripIgnoredCharacters(document.loc.source)}`;
  }

  has(key: string): boolean {
    return this.#texts.has(key);
  }

  readonly plugin: ApolloServerPlugin<Context> = {
    requestDidStart: async () => ({
      responseForOperation: async ({ contextValue: { introspection } }) => {
        const text = introspection && this.#texts.get(introspection);
        if (!text) return null;
        const data = {};
        this.#textOf.set(data, text);
        return { http: { headers: new HeaderMap() }, body: { kind: 'single', singleResult: { data } } };
      },
      willSendResponse: async ({ response: { body }, contextValue: { introspection } }) => {
        const { data, errors } = body.kind === 'single' ? body.singleResult : {};
        if (introspection && data && !errors) this.#keyOf.set(data, introspection);
      },
    }),
  };

  /** Serializes a result. An answer that was refused for its length has no data, and is not remembered. */
  readonly stringify = (result: FormattedExecutionResult): string => {
    const { data, ...others } = result;
    if (!data) return JSON.stringify(result);
    const key = this.#keyOf.get(data);
    const known = this.#textOf.get(data);
    // A text that is put together is copied once more before it is sent.
    if (key === undefined && known === undefined) return JSON.stringify({ data, ...others });
    const text = known ?? JSON.stringify(data);
    if (key !== undefined) this.#texts.set(key, text);
    const rest = JSON.stringify(others).slice(1);
    return `{"data":${text}${rest === '}' ? '' : ','}${rest}`;
  };
}
