/** A phone number that can be called. An extension is dialled after a pause. */
export const PhoneLink = ({ phone }: { phone: string }) => (
  <a className="pp-phone" href={`tel:${phone.replace(/x/i, ';ext=').replace(/[^\d+;=ext]/g, '')}`}>
    {phone}
  </a>
);
