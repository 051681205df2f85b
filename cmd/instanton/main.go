// Command instanton trains, samples and explains Restricted Boltzmann Machines.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"instanton/batch"
)

func main() { os.Exit(run()) }

// Exit codes.
const (
	exitFailed    = 1
	exitUsage     = 2
	exitCheck     = 3  // finished, but a check that --strict demands failed
	exitResumable = 75 // stopped early; the same command continues
)

// usageError is an error in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usage marks an error as one in the command line; nil stays nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// errStopped ends a command that was interrupted and can continue later.
var errStopped = errors.New("stopped early")

// errCheck ends a command that did its work and found that a check demanded by --strict failed.
var errCheck = errors.New("the check failed")

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() { // a second interrupt ends the program at once
		<-ctx.Done()
		stop()
	}()
	err := execute(ctx)
	var bad usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errStopped):
		fmt.Fprintln(os.Stderr, "instanton:", err)
		return exitResumable
	case errors.Is(err, errCheck):
		fmt.Fprintln(os.Stderr, "instanton:", err)
		return exitCheck
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "instanton: interrupted; nothing was written")
		return exitFailed
	case errors.As(err, &bad):
		fmt.Fprintf(os.Stderr, "instanton: %v%s\n", err, hint(err))
		return exitUsage
	}
	fmt.Fprintf(os.Stderr, "instanton: %v%s\n", err, hint(err))
	return exitFailed
}

// execute runs the command that was given. A device that fails where nothing else reports it ends it with an error.
func execute(ctx context.Context) (err error) {
	defer batch.Recover(&err)
	return newRoot(func() { signal.Reset(os.Interrupt, syscall.SIGTERM) }).ExecuteContext(ctx)
}
