import { useState } from 'react';
import { pick, useGraphiQL, useGraphiQLActions, type GraphiQLPlugin } from '@graphiql/react';
import { getNamedType, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { hasFields, isSelected, listFieldsAt, readBuildable, toggleField, type FieldPath } from './builder.ts';
import { Search, drawIcon } from './controls.tsx';

/** The drawer that builds a query by clicks. */
function BuilderPanel() {
  const { schema, tabs, activeTabIndex, queryEditor } = useGraphiQL(
    pick('schema', 'tabs', 'activeTabIndex', 'queryEditor'),
  );
  const { updateActiveTabValues } = useGraphiQLActions();
  const [search, setSearch] = useState('');
  const query = tabs[activeTabIndex]?.query ?? '';
  const buildable = readBuildable(query);
  const toggle = (path: FieldPath): void => {
    if (!schema || !queryEditor) return;
    const next = toggleField(queryEditor.getValue(), schema, path) ?? '';
    queryEditor.setValue(next);
    // GraphiQL reads the editor with a delay, after which the box would be ticked.
    updateActiveTabValues({ query: next });
  };
  return (
    <div className="pg-builder">
      <h2>Build a query</h2>
      <Search label="Search the fields to start from" value={search} onChange={setSearch} />
      {!buildable && <p role="status">Clicks change queries only. Correct the text, or open a new tab.</p>}
      {schema && buildable && (
        <FieldList
          schema={schema}
          operation={buildable.operation}
          path={[]}
          search={search.trim().toLowerCase()}
          onToggle={toggle}
        />
      )}
    </div>
  );
}

interface FieldListProps {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly path: FieldPath;
  readonly search: string;
  readonly onToggle: (path: FieldPath) => void;
}

function FieldList({ schema, operation, path, search, onToggle }: FieldListProps) {
  const fields = Object.values(listFieldsAt(schema, path) ?? {});
  return (
    <ul>
      {fields
        .filter(({ name }) => name.toLowerCase().includes(search))
        .map(({ name, type, description }) => {
          const at = [...path, name];
          const isChosen = isSelected(operation, at);
          return (
            <li key={name}>
              <label title={description ?? undefined}>
                <input type="checkbox" checked={isChosen} onChange={() => onToggle(at)} />
                {name}
                <small>{String(type).replaceAll('!', '')}</small>
              </label>
              {isChosen && hasFields(getNamedType(type)) && (
                <FieldList schema={schema} operation={operation} path={at} search="" onToggle={onToggle} />
              )}
            </li>
          );
        })}
    </ul>
  );
}

const Icon = drawIcon(
  <>
    <rect x="3" y="3" width="5" height="5" rx="1" />
    <rect x="3" y="12" width="5" height="5" rx="1" />
    <path d="M11.5 5.5h6M11.5 14.5h6" strokeLinecap="round" />
  </>,
);

export const builderPlugin: GraphiQLPlugin = { title: 'Build', icon: Icon, content: BuilderPanel };
