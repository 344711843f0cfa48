/* Descriptions for both dialects. */

export const pathText =
  'Path of the link, with its secret behind the `#`: the address of the service stands before it. Shown only once.';
export const isMailedText =
  'Whether a mail with it is stored to be sent: not without a mail server, nor beyond the limits of the plan.';
