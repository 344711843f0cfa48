export const unsubscribe = {
  title: 'No more mails of this kind',
  lead: 'Do you want no more mails of this kind?',
  confirm: 'Send me no more of them',
  done: {
    OFFER: 'You get no more mails about offers. In your settings you can switch them on again.',
    REMINDER: 'You get no more reminders. In your settings you can switch them on again.',
    SWAP: 'You get no more mails about swaps of shifts. In your settings you can switch them on again.',
    CHANGE: 'You get no more mails about changes of your shifts. In your settings you can switch them on again.',
  } as Readonly<Record<string, string>>,
};
