-- CreateTable
CREATE TABLE "backup_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "verified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "backup_state_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "backup_state_id_check" CHECK ("id" = 1),
    CONSTRAINT "backup_state_verified_at_check" CHECK (isfinite("verified_at"))
);
