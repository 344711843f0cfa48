import { useState } from 'react';
import { fetchAsViewer } from '../../application/session.ts';
import { saveCsv } from '../../playground/table-export.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';

const lists = {
  events: '/v1/events',
  callTimes: '/v1/call_times',
  shifts: '/v1/work_shifts',
  people: '/api/v1/users',
  positions: '/v1/positions',
  skillLevels: '/v1/skill_levels',
} as const;

type ListKey = keyof typeof lists;

const keys = Object.keys(lists) as ListKey[];

/** Saves what an address of REST answers as CSV. Throws the message of the service, or `failed` if it sent none. */
export async function downloadCsv(path: string, name: string, failed: string): Promise<void> {
  const response = await fetchAsViewer(path, 'text/csv');
  if (!response.ok) {
    const { message } = (await response.json().catch(() => ({}))) as { message?: string };
    throw new Error(message ?? failed);
  }
  saveCsv(await response.blob(), `${name}.csv`);
}

const nameOf = (key: ListKey) => `${key}-${new Date().toISOString().slice(0, 10)}`;

/** All lists of the business as CSV. */
export function ExportSection() {
  const { exports: texts } = useMessages().settings;
  const [busy, setBusy] = useState<ListKey | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const download = async (key: ListKey) => {
    setBusy(key);
    try {
      await downloadCsv(lists[key], nameOf(key), texts.failed);
      setFault(null);
      showToast({ text: texts.saved(texts.lists[key]) });
    } catch (error) {
      setFault((error as Error).message);
    }
    setBusy(null);
  };
  return (
    <>
      {fault !== null && <Notice look="bad">{fault}</Notice>}
      <ul className="cs-order">
        {keys.map((key) => (
          <li key={key}>
            <span>{texts.lists[key]}</span>
            <Button
              aria-label={texts.downloadOf(texts.lists[key])}
              isBusy={busy !== null}
              onClick={() => void download(key)}
            >
              {texts.download}
            </Button>
          </li>
        ))}
      </ul>
      <Notice>
        {texts.whole} <a href="/guide/operators#one-business-backup-data-export-move">{texts.guide}</a>
      </Notice>
    </>
  );
}
