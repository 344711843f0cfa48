import { createHash } from 'node:crypto';
import type { MailSecrets } from '../access/mail-secrets.ts';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import type { DueMail } from '../db/mails-due.ts';
import { endOfNight } from '../time/quiet-hours.ts';
import { instantInZone } from '../time/zoned-time.ts';
import { wallToColumn, type WallTime } from '../time/wall-clock.ts';
import { messages } from './mails-messages.ts';

/** A mail before it is laid out: paragraphs, and what can be done about it. */
interface Draft {
  readonly subject: string;
  readonly lines: readonly string[];
  readonly action: readonly [text: string, path: string];
}

export type MailConfig = NonNullable<Config['mail']>;

interface WrittenMail {
  /** As nodemailer takes it; null: there is nothing to tell any more. */
  readonly content: ReturnType<typeof layOut> | null;
  /** Digest of what the person knows by it, or knew by an earlier one; null for a mail about anything but a change. */
  readonly toldHash: Buffer<ArrayBuffer> | null;
}

/** Columns of an event that say where it is, by their fields: all that mails show, and changes of all are told. */
export const whereColumns = {
  venue_name: 'venueName',
  room: 'room',
  address: 'address',
  address_line_2: 'addressLine2',
  city: 'city',
} as const;

/** One line without control characters, for subjects and names. Joiners stay: without them, words of many languages fall apart. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp} ]+/gu, ' ').trim();
}

/** Day and time, such as `Sat, 05 Dec 2026 16:00`. */
const dayAndTime = (wall: WallTime) => wallToColumn(wall).toUTCString().slice(0, -7);

/** Writes a mail as things stand now. */
export function writeMail(mail: DueMail, config: MailConfig, secrets: MailSecrets, now: Date): WrittenMail {
  const draft = mail.isUnwanted ? null : draftOf(mail, secrets, now);
  if (!draft) return { content: null, toldHash: null };
  const toldHash = mail.kind === 'change' ? digestPlace(mail) : null;
  // An earlier mail about the shift may have been written after this change, and told it.
  const isKnown = toldHash !== null && mail.toldHash !== null && toldHash.equals(mail.toldHash);
  return { content: isKnown ? null : layOut(mail, draft, config), toldHash };
}

/** Digest of how a shift stands. The version tells whether it was changed and changed back, which may have taken a confirmation. */
const digestPlace = (mail: DueMail) =>
  createHash('sha256')
    .update(JSON.stringify([isHeld(mail), mail.shiftVersion, describePlace(mail)]))
    .digest();

function draftOf(mail: DueMail, secrets: MailSecrets, now: Date): Draft | null {
  const secret = mail.secretHash && secrets.find(mail.uuid, mail.secretHash);
  const { businessName, eventTitle, startTime, startsAt, endsAt } = mail;
  const title = eventTitle ?? '';
  const place = describePlace(mail);
  const toShifts = [messages.shifts, '/app/my-shifts'] as const;
  const isOver = startsAt !== null ? startsAt <= now : endsAt !== null && endsAt <= now;
  switch (mail.kind) {
    case 'offer': {
      const { expiresAt, reason, message, offerState, timezone } = mail;
      const why = reason === null ? [] : [messages.reason(reason)];
      if (offerState === 'refused' && mail.occasion?.startsWith('refused'))
        return { subject: messages.refused(title), lines: [messages.refusedText, place, ...why], action: toShifts };
      if (offerState !== 'sent' || !secret || !expiresAt || expiresAt <= now) return null;
      const until = `${dayAndTime(instantInZone(expiresAt, mail.eventTimezone ?? timezone).local!)} (${mail.eventTimezone ?? timezone})`;
      return {
        subject: messages.offer(title),
        lines: [
          messages.offered(businessName),
          place,
          ...(message === null ? [] : [message]),
          messages.answerBy(until),
        ],
        action: [messages.answer, `/app/answer#${secret}`],
      };
    }
    case 'reminder':
      // The start stands in the occasion: a shift that was moved since has a reminder of its own.
      if (!isHeld(mail) || isOver || startTime === null) return null;
      if (Number(mail.occasion?.split(' ')[0]) * 1000 !== startsAt?.getTime()) return null;
      return {
        subject: messages.reminder(title, dayAndTime(startTime)),
        lines: [messages.reminded, place],
        action: toShifts,
      };
    case 'change': {
      if (isOver) return null;
      const isNew = mail.occasion?.startsWith('new');
      if (!isHeld(mail))
        // Nobody is told that a shift is gone of which they were not told.
        return (isNew ? mail.sentAt === null : mail.isUntold)
          ? null
          : { subject: messages.canceled(title), lines: [messages.canceledText, place], action: toShifts };
      const toConfirm = mail.confirmed ? [] : [messages.confirm];
      return isNew || mail.isUntold
        ? {
            subject: messages.assigned(title),
            lines: [messages.assignedText(businessName), place, ...toConfirm],
            action: toShifts,
          }
        : { subject: messages.changed(title), lines: [messages.changedText, place, ...toConfirm], action: toShifts };
    }
    case 'swap':
      return swapDraft(mail, now);
    case 'invitation': {
      const open = mail.invitationHash && secrets.find(mail.uuid, mail.invitationHash);
      return open
        ? {
            subject: messages.invitation(businessName),
            lines: [messages.invited(businessName)],
            action: [messages.invite, `/app/invitation#${open}`],
          }
        : null;
    }
    case 'password':
      if (mail.occasion !== null)
        return { subject: messages.moved, lines: [messages.movedText(businessName)], action: [messages.logIn, '/app'] };
      if (!secret || now.getTime() - mail.createdAt.getTime() > limits.passwordLinkS * 1000) return null;
      return {
        subject: messages.password,
        lines: [messages.forgotten, messages.hourLeft],
        action: [messages.setPassword, `/app/new-password#${secret}`],
      };
  }
}

/** Tells the person who asks for a swap, or the one who is asked or took it, how it stands. */
function swapDraft({ swap, userId }: DueMail, now: Date): Draft | null {
  if (!swap || swap.startsAt <= now) return null;
  const { state, message, reason, otherEventTitle, otherPosition, otherStartTime: otherStart } = swap;
  const isOwn = userId === swap.fromUserId;
  const name = isOwn ? `${swap.toFirstName} ${swap.toLastName}` : `${swap.fromFirstName} ${swap.fromLastName}`;
  const place = describePlace({
    ...swap,
    startTime: swap.startTimeTbd ? null : swap.startTime,
    dayTime: swap.startTime,
    endTime: swap.endTimeTbd ? null : swap.endTime,
    eventTimezone: swap.timezone,
  });
  const other =
    otherEventTitle === null
      ? null
      : `${otherPosition}, ${otherEventTitle}\n${otherStart ? dayAndTime(otherStart) : messages.toBeDetermined}`;
  const draft = (what: keyof typeof messages.swaps, more: readonly string[] = []): Draft => {
    const { subject, lead, instead } = messages.swaps[what];
    const lines = [lead(name), place, ...(other === null ? [] : [instead(name), other]), ...more];
    return { subject: subject(swap.eventTitle), lines, action: [messages.shifts, '/app/my-shifts'] };
  };
  if (state === 'requested') return isOwn ? null : draft('asked', message === null ? [] : [message]);
  if (state === 'taken') return isOwn ? draft('taken') : null;
  if (state === 'done') return draft(isOwn ? 'given' : 'got');
  return state === 'refused' ? draft('refused', reason === null ? [] : [messages.reason(reason)]) : null;
}

/** Whether the person still has the shift, and it takes place. */
const isHeld = ({ shiftStatus, holderId, userId, eventStatus }: DueMail) =>
  shiftStatus === 'active' && holderId === userId && eventStatus === 'active';

type Place = Pick<DueMail, 'eventTitle' | 'position' | 'startTime' | 'dayTime' | 'endTime' | 'eventTimezone'> & {
  readonly [F in (typeof whereColumns)[keyof typeof whereColumns]]?: string | null;
};

function describePlace(mail: Place): string {
  const { eventTitle, position, startTime, dayTime, endTime, eventTimezone } = mail;
  const day = startTime ?? dayTime;
  const end = endTime && (endTime.slice(0, 10) === day?.slice(0, 10) ? endTime.slice(11, 16) : dayAndTime(endTime));
  const start = startTime
    ? dayAndTime(startTime)
    : [day && wallToColumn(day).toUTCString().slice(0, 16), messages.toBeDetermined].filter(Boolean).join(', ');
  const time = `${start}${end ? ` – ${end}` : ''} (${eventTimezone})`;
  const where = Object.values(whereColumns)
    .map((field) => mail[field])
    .filter(Boolean)
    .join(', ');
  return [`${position}, ${eventTitle}`, time, where].filter(Boolean).join('\n');
}

/** When a mail is sent that comes due at night, by the clocks of the business: in the morning, unless that were too late. */
export function quietUntil({ kind, timezone, startsAt, expiresAt }: DueMail, now: Date): Date | null {
  if (kind === 'invitation' || kind === 'password') return null;
  const until = endOfNight(now, timezone);
  if (until === null) return null;
  const isTooLate = [startsAt, expiresAt].some((at) => at !== null && at <= until);
  return isTooLate ? null : until;
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Lays a draft out as plain text and as HTML. */
function layOut(mail: DueMail, draft: Draft, { publicUrl, from }: Pick<MailConfig, 'publicUrl' | 'from'>) {
  const { uuid, kind, email, ...of } = mail;
  const token =
    kind === 'invitation' || kind === 'password' ? null : `${mail.businessId}.${mail.id}.${kind}.${mail.offToken}`;
  const [action, path] = draft.action;
  const lines = [messages.greeting(of.name), ...draft.lines];
  const foot = messages.sentBy(of.businessName);
  const off = token && `${publicUrl}/app/unsubscribe#${token}`;
  const link = (url: string, text: string) => `<a href="${escape(url)}">${escape(text)}</a>`;
  const paragraph = (html: string) => `<p>${html}</p>`;
  return {
    from: { name: oneLine(of.businessName), address: from },
    to: { name: oneLine(of.name), address: email },
    subject: oneLine(draft.subject),
    messageId: `<${uuid}@${new URL(publicUrl).hostname}>`,
    text: [
      ...lines,
      `${action}: ${publicUrl}${path}`,
      '-- ',
      foot,
      ...(off ? [`${messages.unsubscribe}: ${off}`] : []),
    ].join('\n\n'),
    html: [
      ...lines.map((line) => paragraph(escape(line).replaceAll('\n', '<br>'))),
      paragraph(link(`${publicUrl}${path}`, action)),
      paragraph(`<small>${escape(foot)} ${off ? link(off, messages.unsubscribe) : ''}</small>`),
    ].join('\n'),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(token && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    ...(token && { list: { unsubscribe: { url: `${publicUrl}/v1/mails/unsubscribe/${token}` } } }),
  };
}
