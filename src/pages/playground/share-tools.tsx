import { pick, tryParseJSONC, useGraphiQL } from '@graphiql/react';
import { copyText } from './table-export.ts';
import { buildCurlCommand, buildShareLink } from './share.ts';
import { Quiet } from './controls.tsx';

/** Copies the query as a link and as a shell command. */
export function ShareTools({ onMessage }: { onMessage: (text: string) => void }) {
  const { queryEditor, variableEditor, operationName } = useGraphiQL(
    pick('queryEditor', 'variableEditor', 'operationName'),
  );
  const copy = async (build: (query: string, variables: string) => string, done: string): Promise<void> => {
    try {
      const text = build(queryEditor?.getValue() ?? '', variableEditor?.getValue() ?? '');
      onMessage((await copyText(text)) ? done : 'The browser does not allow copying here.');
    } catch (error) {
      onMessage(`The variables ${(error as Error).message}`);
    }
  };
  const curl = (query: string, text: string): string =>
    buildCurlCommand(location.origin, { query, variables: tryParseJSONC(text), operationName });
  return (
    <>
      <Quiet
        title="Copy a link that opens this query"
        onClick={() =>
          void copy((query, variables) => buildShareLink(location.origin, { query, variables }), 'Link copied')
        }
      >
        Share
      </Quiet>
      <Quiet title="Copy a shell command that sends this query" onClick={() => void copy(curl, 'Command copied')}>
        curl
      </Quiet>
    </>
  );
}
