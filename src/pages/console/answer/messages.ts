export const answer = {
  title: 'Can you work?',
  offers: (business: string) => `${business} offers you this shift.`,
  answerBy: 'Answer by',
  message: 'Message',
  yes: 'Yes, I work',
  no: 'No, I cannot',
  outcomes: {
    ACCEPTED: 'The shift is yours. Thank you!',
    REQUESTED: 'You have asked for the shift. An admin decides, and you are told.',
    WAITLISTED: 'All places are taken. You are on the waitlist, and are told if one becomes free.',
    DECLINED: 'You have declined. Thank you for the answer.',
  } as Readonly<Record<string, string>>,
  over: 'This link no longer works: the offer was answered or taken back, or its time is over. Log in to see how things stand.',
  toShifts: 'To your shifts',
};
