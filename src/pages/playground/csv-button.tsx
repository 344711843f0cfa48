import { useState } from 'react';
import { noteRateLimit, readSession } from '../shared/session.ts';
import { sendCsvQuery, describeErrors } from '../shared/service.ts';
import { isRead } from './operations.ts';
import type { Run } from './runs.ts';

/**
 * Sends the request again and saves the answer as a CSV file. The service writes the file, with all pages where
 * possible.
 */
export function CsvButton({ run }: { run: Run | null }) {
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<{ text: string; isError: boolean } | null>(null);
  const canAsk = run?.result?.data !== undefined && isRead(run.request);

  const download = async (): Promise<void> => {
    if (!run) return;
    setIsBusy(true);
    setMessage(null);
    try {
      const answer = await sendCsvQuery(run.request, readSession().login?.credential ?? null);
      noteRateLimit(answer.rateLimit);
      if ('file' in answer) {
        save(answer.file, answer.name);
        setMessage({ text: `Saved as ${answer.name}`, isError: false });
      } else setMessage({ text: describeErrors(answer.result) ?? 'This result cannot be a CSV file.', isError: true });
    } catch (error) {
      setMessage({ text: (error as Error).message, isError: true });
    }
    setIsBusy(false);
  };

  return (
    <>
      <button
        type="button"
        className="cb-button app-slim pg-push"
        disabled={!canAsk || isBusy}
        onClick={() => void download()}
      >
        {isBusy ? 'Downloading…' : 'Download CSV'}
      </button>
      <p className={message?.isError ? 'pg-message app-refusal' : 'pg-message'} role="status">
        {message?.text}
      </p>
    </>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
