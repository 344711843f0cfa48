-- AlterEnum
ALTER TYPE "MailKind" ADD VALUE 'swap';
