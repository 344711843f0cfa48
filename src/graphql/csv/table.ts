import {
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';
import type { CsvCell } from '../../http/csv.ts';
import type { CollectFields, Fields } from './selections.ts';

type Path = readonly string[];

interface Cell {
  readonly column: number;
  readonly path: Path;
  /** For the column of a custom field: the path leads to its values, which have these response names. */
  readonly customField?: { readonly name: string; readonly nameKey: string; readonly valueKey: string };
}

/** Columns that an object contributes to a row, and the list that turns it into many rows. */
export interface TableColumns {
  readonly cells: Cell[];
  list: List | null;
}

export interface List {
  /** Path from the object that has the list to its items. */
  readonly path: Path;
  /** Path that its column names start with. */
  readonly name: Path;
  /** Response names from that object to the field that returns the list, or its connection. */
  readonly field: Path;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: readonly FieldNode[];
  readonly isConnection: boolean;
  readonly items: TableColumns;
}

/** The columns of a table, in the order of the document. */
export interface CsvColumns {
  readonly names: Path[];
}

/** Thrown if the query cannot be a table. */
export class NoTable extends Error {}

const isConnection = ({ name }: GraphQLObjectType): boolean => name.endsWith('Connection');
const isEdge = ({ name }: GraphQLObjectType): boolean => name.endsWith('Edge');

/** The builder's position in the result. */
interface At {
  readonly path: Path;
  readonly name: Path;
}

/**
 * Derives the table from a selection: leaf fields are columns, objects are flattened, and one chain of nested lists
 * makes the rows. `onInnerList` is called for each list inside another. Custom field values in a row are columns, one for each
 * custom field, if their names are given.
 */
export function tableOf(
  type: GraphQLObjectType,
  fields: Fields,
  collectFields: CollectFields,
  onInnerList: (list: List) => void,
  customFieldNames: readonly string[] | null,
): { table: TableColumns; columns: CsvColumns } {
  const columns: CsvColumns = { names: [] };

  const addColumn = (table: TableColumns, { path, name }: At, customField?: Cell['customField']) =>
    table.cells.push({ column: columns.names.push(name) - 1, path, ...(customField && { customField }) });

  const fill = (table: TableColumns, parent: GraphQLObjectType, below: Fields, at: At, isOuter: boolean): void => {
    for (const [response, nodes] of below) {
      const definition = parent.getFields()[nodes[0]?.name.value ?? ''];
      const isNode = isEdge(parent) && definition?.name === 'node';
      const here = { path: [...at.path, response], name: isNode ? at.name : [...at.name, response] };
      // The only field without a definition is `__typename`, which clients add everywhere.
      if (!definition) {
        if (!isOuter) addColumn(table, here);
        continue;
      }
      const named = getNamedType(definition.type);
      if (isInterfaceType(named))
        throw new NoTable(`${quoted(here.path)} can be of several types, which no table fits: ask for JSON instead.`);
      const isList = isListType(getNullableType(definition.type));
      if (isList && !isOuter && named.name === 'CustomFieldValue' && customFieldNames) {
        const inner = [...collectFields(named as GraphQLObjectType, nodes)];
        const keyOf = (field: string) => inner.find(([, [node]]) => node?.name.value === field)?.[0];
        const [nameKey, valueKey] = [keyOf('fieldName'), keyOf('fieldValue')];
        if (nameKey !== undefined && valueKey !== undefined) {
          for (const name of customFieldNames)
            addColumn(table, { path: here.path, name: [...here.name, name] }, { name, nameKey, valueKey });
          continue;
        }
      }
      if (isList) {
        addList(table, { ...here, field: here.path, definition, nodes, isConnection: false }, isOuter);
      } else if (isLeafType(named)) addColumn(table, here);
      else {
        const object = named as GraphQLObjectType;
        const inner = collectFields(object, nodes);
        const pages = isConnection(object) ? listsIn(object, inner) : [];
        for (const [page, pageNodes] of pages)
          addList(
            table,
            { path: [...here.path, page], name: here.name, field: here.path, definition, nodes, isConnection: true },
            isOuter,
            pageNodes,
            object,
          );
        if (pages.length === 0) fill(table, object, inner, here, isOuter);
      }
    }
  };

  const addList = (
    table: TableColumns,
    found: Omit<List, 'items'>,
    isOuter: boolean,
    nodes = found.nodes,
    connection?: GraphQLObjectType,
  ) => {
    if (table.list)
      throw new NoTable(
        `A row cannot hold two lists side by side, ${quoted(labelOf(table.list))} and ${quoted(labelOf(found))}: request them one at a time.`,
      );
    const list: List = { ...found, items: { cells: [], list: null } };
    table.list = list;
    if (!isOuter) onInnerList(list);
    const definition = connection ? connection.getFields()[nodes[0]?.name.value ?? ''] : found.definition;
    const item = definition && getNamedType(definition.type);
    if (!item || isLeafType(item)) addColumn(list.items, { path: [], name: found.name });
    else {
      const object = item as GraphQLObjectType;
      fill(list.items, object, collectFields(object, nodes), { path: [], name: found.name }, false);
    }
  };

  const table: TableColumns = { cells: [], list: null };
  fill(table, type, fields, { path: [], name: [] }, true);
  return { table, columns };
}

/** Only `nodes` and `edges` of a connection hold rows; its other fields describe the list. */
const listsIn = (connection: GraphQLObjectType, fields: Fields) =>
  [...fields].filter(([, nodes]) => {
    const definition = connection.getFields()[nodes[0]?.name.value ?? ''];
    return definition && isListType(getNullableType(definition.type));
  });

/** `nodes` and `edges` of one connection can be two lists with the same label. */
const labelOf = ({ isConnection: hasPages, name, path }: Omit<List, 'items'>): Path =>
  hasPages ? [...name, ...path.slice(-1)] : name;

export const quoted = (path: Path): string => `\`${path.join('.')}\``;

/** The rows that a result gives: one for each innermost item; one for an object without any, if it shows something. */
export function rowsOf(table: TableColumns, width: number, result: unknown): CsvCell[][] {
  const rows: CsvCell[][] = [];
  const add = ({ cells, list }: TableColumns, object: unknown, above: CsvCell[], showsAbove: boolean): void => {
    const row = [...above];
    for (const { column, path, customField } of cells) {
      const value = valueAt(object, path);
      row[column] = cellOf(customField ? findValue(value, customField) : value);
    }
    if (!list) return void rows.push(row);
    const shows = showsAbove || cells.length > 0;
    const items = valueAt(object, list.path) as unknown[] | null;
    if (shows && (items ?? []).length === 0) rows.push(row);
    for (const item of items ?? []) add(list.items, item, row, shows);
  };
  add(table, result, Array<CsvCell>(width).fill(null), false);
  return rows;
}

function findValue(values: unknown, { name, nameKey, valueKey }: NonNullable<Cell['customField']>): unknown {
  const found = ((values ?? []) as readonly object[]).find((each) => Reflect.get(each, nameKey) === name);
  return found ? (Reflect.get(found, valueKey) as unknown) : null;
}

export function valueAt(object: unknown, path: Path): unknown {
  let value = object;
  for (const name of path) value = value === null || value === undefined ? null : Reflect.get(Object(value), name);
  return value ?? null;
}

/** A scalar as JSON has it. */
function cellOf(value: unknown): CsvCell {
  if (typeof value !== 'object' || value === null) return value as CsvCell;
  const text = JSON.stringify(value);
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}
