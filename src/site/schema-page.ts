import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  printType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql';
import { html, type Html } from './html.ts';
import { page } from './layout.ts';
import { itemHeading, listing, type ListingGroup } from './listing.ts';
import { inlineProse, prose } from './prose.ts';

/** Renders the page of the GraphQL schema: the root types first, then the others by kind and name. */
export function schemaPage(schema: GraphQLSchema): string {
  return page({
    title: 'GraphQL schema · Callboard',
    description: 'The GraphQL schema of Callboard: every query, mutation, type and field, described and linked.',
    at: '/schema',
    entry: 'reference/schema.ts',
    body: listing({ title: 'GraphQL schema', noun: 'types', intro: introduction, groups: groupTypes(schema) }),
  });
}

const introduction = html`<p class="cb-lead">
    What <code>/graphql</code> understands. The filter finds types, and fields by their names.
  </p>
  <p class="cb-buttons">
    <a class="cb-button cb-primary" href="/playground">Ask it in the playground</a>
    <a class="cb-button" href="/graphql/schema.graphql" download="schema.graphql">Download schema.graphql</a>
  </p>`;

function groupTypes(schema: GraphQLSchema): ListingGroup[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (type) => type !== null && type !== undefined,
  );
  const isRoot = (type: GraphQLNamedType) => roots.some((root) => root === type);
  const others = Object.values(schema.getTypeMap())
    .filter((type) => !isRoot(type) && !isIntrospectionType(type))
    .sort((a, b) => a.name.localeCompare(b.name));
  const groups: [string, string, readonly GraphQLNamedType[]][] = [
    ['roots', 'Queries and changes', roots],
    ['objects', 'Objects', others.filter(isObjectType)],
    ['interfaces', 'Interfaces and unions', others.filter((type) => isInterfaceType(type) || isUnionType(type))],
    ['inputs', 'Inputs', others.filter(isInputObjectType)],
    ['enums', 'Enums', others.filter(isEnumType)],
    ['scalars', 'Scalars', others.filter((type) => printType(type).includes('scalar '))],
  ];
  return groups
    .filter(([, , types]) => types.length > 0)
    .map(([id, title, types]) => ({ id, title, about: html``, items: types.map(describeType) }));
}

const describeType = (type: GraphQLNamedType) => ({
  id: type.name,
  words: type.name.toLowerCase(),
  label: html`${type.name}`,
  body: html`${itemHeading(type.name, type.name, type.name)} ${about(type)} ${members(type)}`,
});

function about(type: GraphQLNamedType): Html {
  if (type.description) return prose(type.description);
  return isSpecifiedScalarType(type) ? html`<p>Built into GraphQL.</p>` : html``;
}

function members(type: GraphQLNamedType): Html {
  if (isEnumType(type))
    return list(type.getValues().map(({ name, description }) => part(name, html`<code>${name}</code>`, description)));
  if (isUnionType(type)) return list(type.getTypes().map(({ name }) => part(name, link(name), null)));
  if (isInputObjectType(type)) return list(Object.values(type.getFields()).map(inputField));
  if (isObjectType(type) || isInterfaceType(type)) return list(Object.values(type.getFields()).map(outputField));
  return html``;
}

const list = (parts: readonly Html[]): Html =>
  html`<ul class="ref-fields">
    ${parts}
  </ul>`;

const part = (name: string, line: Html, description: string | null | undefined, below: Html = html``): Html =>
  html`<li data-part="${name}">
    ${line} ${description ? html`<p>${inlineProse(description)}</p>` : html``} ${below}
  </li> `;

const outputField = (field: GraphQLField<unknown, unknown>): Html =>
  part(
    field.name,
    html`<code class="ref-name">${field.name}</code>
      <span class="ref-type">${typeLink(field.type)}</span> ${deprecation(field)}`,
    field.description,
    field.args.length > 0
      ? html`<ul class="ref-fields" aria-label="Arguments of ${field.name}">
          ${field.args.map(argument)}
        </ul>`
      : html``,
  );

const inputField = (field: GraphQLInputField): Html => part(field.name, inputLine(field), field.description);

const argument = (input: GraphQLArgument): Html =>
  html`<li>${inputLine(input)} ${input.description ? html`<p>${inlineProse(input.description)}</p>` : html``}</li> `;

const inputLine = (input: GraphQLArgument | GraphQLInputField): Html =>
  html`<code class="ref-name">${input.name}</code>
    <span class="ref-type"
      >${typeLink(input.type)}${
        input.defaultValue === undefined ? '' : `, default ${JSON.stringify(input.defaultValue)}`
      }</span
    >
    ${deprecation(input)}`;

const deprecation = ({ deprecationReason }: { readonly deprecationReason?: string | null | undefined }): Html =>
  deprecationReason ? html`<p>Deprecated: ${inlineProse(deprecationReason)}</p>` : html``;

/** `[Event!]!` with a link on the name. */
function typeLink(type: GraphQLType): Html {
  const { name } = getNamedType(type);
  const [before, after] = String(type).split(name);
  return html`${before ?? ''}${link(name)}${after ?? ''}`;
}

const link = (name: string): Html => html`<a href="#${name}">${name}</a>`;
