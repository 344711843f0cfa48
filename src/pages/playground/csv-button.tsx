import { useState } from 'react';
import { Kind, OperationTypeNode, parse } from 'graphql';
import { noteBudget, readSession } from './session.ts';
import { askForCsv, explain } from './service.ts';
import type { Run } from './runs.ts';

/** The same question once more, answered as a file: the service makes it, with all pages where it can. */
export function CsvButton({ run }: { run: Run | null }) {
  const [isBusy, setIsBusy] = useState(false);
  const [said, setSaid] = useState<{ text: string; isTrouble: boolean } | null>(null);
  const canAsk = run?.result?.data !== undefined && isRead(run);

  const download = async (): Promise<void> => {
    if (!run) return;
    setIsBusy(true);
    setSaid(null);
    try {
      const answer = await askForCsv(run.question, readSession().login?.credential ?? null);
      noteBudget(answer.budget);
      if ('file' in answer) {
        save(answer.file, answer.name);
        setSaid({ text: `Saved as ${answer.name}`, isTrouble: false });
      } else setSaid({ text: explain(answer.result) ?? 'This result cannot be a CSV file.', isTrouble: true });
    } catch (error) {
      setSaid({ text: (error as Error).message, isTrouble: true });
    }
    setIsBusy(false);
  };

  return (
    <>
      <button
        type="button"
        className="cb-button pg-slim pg-push"
        disabled={!canAsk || isBusy}
        onClick={() => void download()}
      >
        {isBusy ? 'Downloading…' : 'Download CSV'}
      </button>
      <p className={said?.isTrouble ? 'pg-said pg-refusal' : 'pg-said'} role="status">
        {said?.text}
      </p>
    </>
  );
}

/** A mutation is not run a second time for a file. */
function isRead({ question: { query, operationName } }: Run): boolean {
  try {
    const operations = parse(query).definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    const run = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
    return run?.operation === OperationTypeNode.QUERY;
  } catch {
    return false;
  }
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
