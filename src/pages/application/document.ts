/** The text of an operation, with the types of what it returns and takes. `npm run generate` writes them from .graphql files. */
export type TypedDocument<Data, Taken> = string & { types?(taken: Taken): Data };

/** Variables of a document: the compiler knows their names. */
export type VariablesOf<Taken> = Readonly<Partial<Record<keyof Taken & string, unknown>>>;
