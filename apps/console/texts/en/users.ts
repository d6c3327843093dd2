export const usersTexts = {
  title: 'users',
} as const;
