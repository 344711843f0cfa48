import { PersonDocument } from '../../../generated/pages/console/person.ts';
import { useState, type ComponentProps } from 'react';
import { useParams } from 'wouter';
import { formatLocalDay, setZone } from '../../time/span.ts';
import { useMinute } from '../../time/clock.ts';
import { Waiting } from '../../application/waiting.tsx';
import { Availability } from '../availability/availability.tsx';
import { useRead, useViewer } from '../../application/data.ts';
import { formatDate } from '../../time/dates.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Facts } from '../parts/facts.tsx';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { History } from '../parts/history.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { HeldQualifications } from '../qualifications/held.tsx';
import { InvitationDialog } from '../people/invitation.tsx';
import { PhoneLink } from '../parts/phone.tsx';
import { type Person } from './data.ts';
import { EditDialog } from './edit.tsx';
import { LeaveDialog } from './leave.tsx';
import { ShiftTable } from './shifts.tsx';
import '../people/people.css';

/** One person: contact, shifts and history. */
export default function PersonPage() {
  const { person: texts, shell } = useMessages();
  const { id } = useParams<{ id: string }>();
  const minute = useMinute();
  // Another span would be another read: what is to come is that of when the page was opened.
  const [now] = useState(() => new Date(minute).toISOString());
  const read = useRead(PersonDocument, { id: decodeURIComponent(id), now });
  const user = read.data?.user;
  if (user) return <Shown user={user} />;
  if (read.isLoading) return <Waiting what={shell.loading} />;
  return (
    <Page title={texts.none.title}>
      <Loaded read={{ ...read, error: null }}>{() => null}</Loaded>
      <Empty title={texts.none.lead} action={<LinkButton href="/people">{texts.none.all}</LinkButton>} />
    </Page>
  );
}

type Tab = 'coming' | 'past' | 'availability' | 'held' | 'history';

function Shown({ user }: { user: Person }) {
  const { person: texts, people, callSheet, language } = useMessages();
  const { timezone } = useViewer().business;
  setZone(timezone);
  const minuteMs = useMinute();
  const [tab, setTab] = useState<Tab>('coming');
  const [dialog, setDialog] = useState<'edit' | 'invite' | 'leave' | null>(null);
  const close = () => setDialog(null);
  const hasShifts = user.role === 'STAFF' || user.coming.totalCount + user.past.totalCount > 0;
  const next = user.coming.nodes.find(({ status, startsAt }) => status === 'ACTIVE' && startsAt !== null);
  const nextDay = formatLocalDay(next?.startsAt ? Date.parse(next.startsAt) : minuteMs);
  const tabs = (['coming', 'past', 'availability', 'held', 'history'] as const).filter(
    (key) => key === 'history' || (key === 'availability' ? user.role === 'STAFF' : hasShifts),
  );
  const shifts = [...user.coming.nodes, ...user.past.nodes].filter(({ status }) => status === 'ACTIVE');
  const positions = new Map<string, number>();
  for (const { position } of shifts) positions.set(position.title, (positions.get(position.title) ?? 0) + 1);
  const levels = new Set(shifts.flatMap(({ callTime }) => callTime?.skillLevel?.name ?? []));
  const facts: ComponentProps<typeof Facts>['facts'] = [
    [texts.phone, user.phone ? <PhoneLink key="phone" phone={user.phone} /> : texts.noPhone],
    [
      texts.email,
      <a key="email" href={`mailto:${user.email}`}>
        {user.email}
      </a>,
    ],
    [texts.mailFault, user.mailFault],
    [texts.role, people.roles[user.role]],
    [texts.since, formatDate(formatLocalDay(Date.parse(user.createdAt)), 'long', language)],
    [texts.workedAs, [...positions].map(([position, count]) => texts.worked(position, count)).join(', ')],
    [texts.skills, [...levels].join(', ')],
  ];
  return (
    <Page
      title={user.name}
      actions={
        <>
          <Button look="primary" onClick={() => setDialog('edit')}>
            {texts.edit}
          </Button>
          {hasShifts && (
            <LinkButton href={`/call-sheet?person=${encodeURIComponent(user.id)}&day=${nextDay}`}>
              {callSheet.title}
            </LinkButton>
          )}
          {!user.canLogIn && <Button onClick={() => setDialog('invite')}>{texts.invite}</Button>}
          {user.role === 'CLIENT' && (
            <LinkButton href={`/settings/feeds?${new URLSearchParams({ client: user.id, name: user.name })}`}>
              {texts.calendar}
            </LinkButton>
          )}
          <Button look="danger" onClick={() => setDialog('leave')}>
            {texts.leave}
          </Button>
        </>
      }
    >
      <Facts className="pp-facts" facts={facts} />
      <Tabs
        label={texts.tabs.label}
        tabs={tabs.map((key) => ({ key, label: texts.tabs[key] }))}
        selected={hasShifts ? tab : 'history'}
        onSelect={setTab}
      >
        {tab === 'history' || !hasShifts ? (
          <History filter={{ kind: 'USER', rowDatabaseId: user.databaseId }} />
        ) : tab === 'held' ? (
          <HeldQualifications userId={user.id} />
        ) : tab === 'availability' ? (
          <Availability userId={user.id} />
        ) : (
          <ShiftTable key={tab} isPast={tab === 'past'} shifts={user[tab]} />
        )}
      </Tabs>
      {dialog === 'edit' && <EditDialog user={user} onClose={close} />}
      {dialog === 'invite' && <InvitationDialog person={user} onClose={close} />}
      {dialog === 'leave' && <LeaveDialog user={user} onClose={close} />}
    </Page>
  );
}
