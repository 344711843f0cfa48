import { beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isEnumType, isObjectType, type GraphQLSchema } from 'graphql';
import { createSchema } from '../src/nouns.ts';
import { useService } from './support/app.ts';
import { parityMap, type ParityMap } from './support/parity-map.ts';
import {
  exceptions,
  otherInputTypes,
  otherTypes,
  renamedAnswers,
  requiredInRest,
  twins,
} from './support/parity-twins.ts';
import { inputTypesFor, isNullable, isRequired, typesFor } from './support/parity.ts';

/*
 * Whatever the contract takes and gives, GraphQL takes and gives as well; what only one of them has is listed, with a reason.
 * The routes beyond the contract are compared with GraphQL by their operations: parity-operations.test.ts.
 */

let schema: GraphQLSchema;
let map: ParityMap;

const service = useService();

beforeAll(() => {
  schema = createSchema();
  map = parityMap(service.app.http.swagger(), schema);
});

const takenByAll = () =>
  map.routes.flatMap((route) =>
    Object.entries(route.takes)
      .filter(([name]) => !isListed(`input ${name}`))
      .map(([name, taken]) => ({
        route,
        name: `${route.method} ${route.path} ${name}`,
        taken,
        twin: map.argumentFor(route, name),
      })),
  );

const isListed = (name: string) => Object.values(exceptions).some((names) => names.includes(name));

describe('REST has', () => {
  test('a twin in GraphQL for every route of the contract, and a route for every twin', () => {
    expect(map.routes.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(twins).sort());
    const unpaired = map.all.filter(({ operationId, isExtension }) => !isExtension && !(operationId in twins));
    expect(unpaired).toEqual([]);
  });

  test('only inputs that its twin has too, with the same name, type and requirement', () => {
    const otherwise = [];
    for (const { name, taken, twin } of takenByAll()) {
      expect({ name, twin: twin?.path }).toEqual({ name, twin: expect.any(String) });
      const { type } = twin!;
      if (!inputTypesFor(name, taken.shape.items ?? taken.shape, schema).includes(getNamedType(type).name))
        otherwise.push(name);
      expect({ name, isRequired: isRequired(type) }).toEqual({
        name,
        isRequired: taken.required && !requiredInRest.includes(name),
      });
    }
    expect(otherwise.sort()).toEqual(Object.values(otherInputTypes).flat().sort());
  });

  test('only outputs that its twin has too, with the same type and nullability', () => {
    const otherwise = [];
    for (const { name, shape, twin } of map.routes.flatMap(map.givenBy)) {
      expect({ name, isThere: twin !== null }).toEqual({ name, isThere: true });
      const { type } = twin!;
      if (!typesFor(shape, schema).includes(getNamedType(type).name)) otherwise.push(name);
      if (isNullable(shape)) expect({ name, isNullable: twin!.isNullable }).toEqual({ name, isNullable: true });
    }
    expect(otherwise.sort()).toEqual(Object.values(otherTypes).flat().sort());
  });

  test('exactly the path parameters that its addresses name', () => {
    for (const { path, takes } of map.routes) {
      const inPath = Object.keys(takes).filter((name) => takes[name]!.in === 'path');
      expect({ path, names: inPath }).toEqual({
        path,
        names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      });
    }
  });

  test('no unnecessary renamed field', () => {
    const inAnswers = map.routes.flatMap(({ gives, operationId }) =>
      paths(gives).map((path) => ({ path, operationId })),
    );
    const idle = [renamedAnswers, ...Object.values(twins).map(({ gives = {} }) => gives)]
      .flatMap((renames) => Object.keys(renames))
      .filter((end) => !inAnswers.some(({ path }) => path === end || path.endsWith(`.${end}`)));
    expect(idle).toEqual([]);
    for (const route of map.routes)
      for (const name of Object.keys(twins[route.operationId]!.takes ?? {}))
        expect({ route: route.path, takes: Object.keys(route.takes) }).toEqual({
          route: route.path,
          takes: expect.arrayContaining([name]),
        });
  });
});

/** All enums of a JSON schema, however deep. */
function enumsIn(schema: unknown, at = ''): { at: string; values: string[] }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { enum: values } = schema as { enum?: unknown };
  const own = Array.isArray(values) ? [{ at, values: values.filter((value) => value !== null).map(String) }] : [];
  return [...own, ...Object.entries(schema).flatMap(([name, inner]) => enumsIn(inner, `${at}/${name}`))];
}

test('each enum of REST has one in GraphQL that lacks none of its codes, or is about something else', () => {
  const letters = (code: string) => code.replaceAll(/[^A-Za-z]/g, '').toUpperCase();
  const inGraphql = Object.values(schema.getTypeMap())
    .filter((type) => isEnumType(type))
    .map((type) => ({ name: type.name, codes: new Set(type.getValues().map(({ name }) => letters(name))) }));
  const nearest = enumsIn(service.app.http.swagger()).flatMap(({ at, values }) => {
    const fits = inGraphql.map(({ name, codes }) => {
      const missing = values.filter((value) => !codes.has(letters(value)));
      return { at, name, missing, unlike: missing.length + codes.size - (values.length - missing.length) };
    });
    const [best] = fits.sort((one, other) => one.unlike - other.unlike);
    return values.length > 2 && best!.missing.length < values.length / 2 ? [best!] : [];
  });
  expect(new Set(nearest.map(({ name }) => name)).size).toBeGreaterThan(20);
  expect(nearest.filter(({ missing }) => missing.length > 0)).toEqual([]);
});

/** Every level of an answer. */
const paths = (shape: ParityMap['routes'][number]['gives'], path = ''): string[] =>
  shape.items
    ? paths(shape.items, path)
    : Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => {
        const own = path ? `${path}.${name}` : name;
        return [own, ...paths(inner, own)];
      });

describe('GraphQL has beyond REST', () => {
  function rootFields(): string[] {
    const known = new Set(Object.values(twins).map(({ field }) => field.split('.')[0]));
    return map.rootTypes.flatMap((type) =>
      Object.keys(type.getFields())
        .filter((name) => !known.has(name))
        .map((name) => `${type.name}.${name}`),
    );
  }

  /** Arguments of twins. */
  function argumentNames(): string[] {
    const nameOf = (route: { operationId: string }, path: string) => `${twins[route.operationId]!.field}(${path})`;
    const taken = new Set(takenByAll().map(({ route, twin }) => nameOf(route, twin!.path)));
    return map.routes
      .flatMap((route) => map.argumentsTo(route).map(({ path }) => nameOf(route, path)))
      .filter((name) => !taken.has(name));
  }

  /** Fields of the types that the answers of REST lead to. */
  function fields(): string[] {
    const given = new Set(map.routes.flatMap(map.givenBy).flatMap(({ twin }) => twin!.through));
    const onTheWay = new Set(map.routes.flatMap((route) => map.fieldsTo(route)));
    return [...new Set([...given].map((name) => name.split('.')[0]!))].flatMap((name) => {
      const type = schema.getType(name);
      return Object.values(isObjectType(type) ? type.getFields() : {})
        .filter((field) => !given.has(`${name}.${field.name}`) && !onTheWay.has(field))
        .map((field) => `${name}.${field.name}`);
    });
  }

  test('exactly the listed fields', () => {
    const listed = Object.values(exceptions).flat();
    expect(new Set(listed).size).toBe(listed.length);
    expect([...new Set([...rootFields(), ...argumentNames(), ...fields()])].sort()).toEqual(
      listed.filter((name) => !/^(answer|input) /.test(name)).sort(),
    );
  });
});
