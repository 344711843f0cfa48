import { useMessages } from '../messages/messages.ts';

/** A phone number that can be called. An extension is dialled after a pause. `name` says whose it is, where that is not beside it. */
export function PhoneLink({ phone, name }: { phone: string; name?: string }) {
  const { staffing: texts } = useMessages();
  return (
    <a
      className="pp-phone"
      draggable={false}
      href={`tel:${phone.replace(/x/i, ';ext=').replace(/[^\d+;=ext]/g, '')}`}
      aria-label={name && texts.call(name, phone)}
    >
      {phone}
    </a>
  );
}
