/** Says that something takes a moment. */
export const Waiting = ({ what }: { what: string }) => (
  <p className="app-waiting" role="status">
    <span className="app-spinner" aria-hidden="true" />
    {what}…
  </p>
);
