import {
  InvitePeopleDocument,
  type ImportPeopleMutation,
  type InvitePeopleMutation,
} from '../../../generated/pages/console/people.ts';
import { useState } from 'react';
import { formatMoment } from '../../time/zones.ts';
import { copyText, formatCsv, formatTsv, saveCsv } from '../../playground/table-export.ts';
import { useViewer, useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { showToast } from '../parts/toast.tsx';

type Outcome = InvitePeopleMutation['inviteUsers'][number];

export type Invited = NonNullable<ImportPeopleMutation['createUsers'][number]['user']>;

/** Most people of one call. */
export const batchMax = 100;

/** Makes links for several people, and shows them once, as one list to copy or to download. */
export function InviteAll({ people }: { people: readonly Invited[] }) {
  const messages = useMessages();
  const { inviting: texts } = messages;
  const { columns, invitation } = messages.people;
  const { timezone } = useViewer().business;
  const { write, fault } = useWrite(InvitePeopleDocument);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [isWorking, setIsWorking] = useState(false);
  const left = people.filter(({ id }) => !outcomes.has(id));
  const invite = async () => {
    setIsWorking(true);
    for (let from = 0; from < left.length; from += batchMax) {
      const ids = left.slice(from, from + batchMax).map(({ id }) => id);
      const { data } = await write({ userIds: ids });
      if (!data) break;
      const made = data.inviteUsers.map((outcome, index): [string, Outcome] => [ids[index]!, outcome]);
      setOutcomes((before) => new Map([...before, ...made]));
    }
    setIsWorking(false);
  };
  const rows = people.flatMap((person) => {
    const outcome = outcomes.get(person.id);
    if (!outcome) return [];
    return { ...person, ...outcome, link: outcome.invitation ? location.origin + outcome.invitation.path : '' };
  });
  const links = rows.filter(({ link }) => link !== '');
  const names = [columns.name, columns.email, texts.link];
  const list = links.map(({ name, email, link }) => new Map([name, email, link].map((text, at) => [names[at]!, text])));
  const mailed = links.filter(({ invitation: made }) => made?.isMailed).length;
  const expiresAt = links[0]?.invitation?.expiresAt;
  const copy = async () =>
    showToast({
      text: (await copyText(formatTsv(names, list))) ? texts.copied(list.length) : messages.settings.notCopied,
    });
  return (
    <>
      {left.length > 0 && (
        <p>
          {texts.mails(left.length)}{' '}
          <Button isBusy={isWorking} onClick={() => void invite()}>
            {texts.make(left.length)}
          </Button>
        </p>
      )}
      {fault && <Notice look="bad">{invitation.failed(fault.message)}</Notice>}
      {expiresAt !== undefined && (
        <>
          <Notice look="warning">
            {texts.lead(formatMoment(Date.parse(expiresAt), timezone))} {texts.mailed(mailed)}
          </Notice>
          <div className="cb-buttons">
            <Button look="primary" onClick={() => void copy()}>
              {texts.copy}
            </Button>
            <Button onClick={() => saveCsv(formatCsv(names, list), 'invitations.csv')}>{texts.download}</Button>
          </div>
        </>
      )}
      <Table
        caption={texts.title}
        columns={[
          { key: 'name', title: columns.name, renderCell: ({ name }) => <bdi>{name}</bdi> },
          { key: 'email', title: columns.email, isMinor: true, renderCell: ({ email }) => email },
          {
            key: 'link',
            title: texts.link,
            renderCell: ({ link, error }) => (error ? <strong className="pp-fault">{error.message}</strong> : link),
          },
        ]}
        rows={rows}
        rowKey={({ id }) => id}
        empty={null}
      />
    </>
  );
}
