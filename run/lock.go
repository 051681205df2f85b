package run

// lockName is the file that the process working in a run directory has locked. The system
// lets go of it when the process ends, however it ends.
const lockName = ".lock"
