package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"instanton/internal/atomicfile"
	"instanton/internal/meta"
)

// newRoot builds the command line; release gives interrupts back to the system.
func newRoot(release func()) *cobra.Command {
	root := group(&cobra.Command{
		Use:   "instanton",
		Short: "Train, sample and explain Restricted Boltzmann Machines",
		Long: `Instanton trains, samples and explains Restricted Boltzmann Machines (RBM).

Start with "instanton demo", or build a model, compute its partition function and sample it:

  instanton new curie-weiss --n 16 --w 1.2 -o cw.npz
  instanton evaluate cw.npz --exact
  instanton sample cw.npz --chains 100 --sweeps 1000 -o samples.npz

"instanton COMMAND --help" describes a command, its defaults and the files it writes, with
examples. Results go to standard output, progress and messages to standard error. The exit
status is 0 after success, 1 after a failure, 2 for an error in the command line, 3 if a check
demanded by --strict fails, and 75 if a command was stopped and will continue where it left off
when it is run again.`,
		Version:       strings.TrimPrefix(meta.Program(), "instanton "),
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRun: func(c *cobra.Command, _ []string) {
			if c.Annotations["interruptible"] == "" {
				release()
			}
		},
	})
	root.PersistentFlags().Bool("quiet", false, "write no progress and no messages to standard error")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if c.HasSubCommands() { // perhaps the flag of a command whose name is misspelt
			return usage(fmt.Errorf("%w: '%s' expects a command before its flags: one of %s", err, c.CommandPath(),
				commands(c)))
		}
		return usage(fmt.Errorf("%w%s; see '%s --help'", err, likelyFlag(c, err), c.CommandPath()))
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(newHelp())
	root.AddCommand(
		newNew(), newImport(), newExport(), newInspect(), newLandscape(), newLattice(), newData(), newTheory(),
		newPath(), newEvaluate(),
	)
	for _, c := range []*cobra.Command{newTrain(), newScore(), newMutate(), newProject(), newSample(), newDiagnose(),
		newMix(), newJumpFit(), newCouplings(), newExplain(), newRate(), newBench(), newDemo(), newPaper()} {
		root.AddCommand(interruptible(c))
	}
	return root
}

// newHelp shows the help of a command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command",
		Example: "  instanton help train",
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if err != nil || found.HasSubCommands() && len(rest) > 0 {
				return usage(fmt.Errorf("unknown command %q after '%s': expected one of %s%s", strings.Join(args, " "),
					c.CommandPath(), commands(c.Root()), likelyCommand(c.Root(), strings.Join(args, " "))))
			}
			return found.Help()
		},
	}
}

// group makes a command that only has subcommands: alone it shows its help, and an unknown name is
// answered with a list of the known ones.
func group(c *cobra.Command) *cobra.Command {
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return usage(fmt.Errorf("unknown command %q after '%s': expected one of %s%s", args[0], c.CommandPath(),
			commands(c), likelyCommand(c, args[0])))
	}
	return c
}

// commands lists the names of the subcommands of c.
func commands(c *cobra.Command) string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return strings.Join(names, ", ")
}

// arguments demands between least and most arguments; names describes them in the error.
func arguments(least, most int, names string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			plural := "s"
			if len(args) == 1 {
				plural = ""
			}
			return usage(fmt.Errorf("got %d argument%s: expected %s; see '%s --help'", len(args), plural, names,
				c.CommandPath()))
		}
		return nil
	}
}

// messages is where progress and messages go: standard error, or nowhere (nil) with --quiet.
func messages(c *cobra.Command) io.Writer {
	if quiet, _ := c.Flags().GetBool("quiet"); quiet {
		return nil
	}
	return os.Stderr
}

// say writes a message for the user.
func say(c *cobra.Command, format string, args ...any) {
	if w := messages(c); w != nil {
		fmt.Fprintf(w, format+"\n", args...)
	}
}

// output holds the flags of commands that write one file.
type output struct {
	path  string
	force bool
}

func (o *output) flags(c *cobra.Command, what string) {
	c.Flags().StringVarP(&o.path, "output", "o", "", what+" to write (.npz)")
	c.Flags().BoolVar(&o.force, "force", false, "replace the output file if it exists")
}

// check refuses a path that cannot be written, before the work is done.
func (o *output) check() error {
	switch {
	case o.path == "":
		return usage(fmt.Errorf("no output: name a file with -o FILE.npz"))
	case !strings.EqualFold(filepath.Ext(o.path), ".npz"):
		return usage(fmt.Errorf("output %q: expected a name that ends in .npz", o.path))
	}
	return atomicfile.Check(o.path, o.force)
}

// notAnInput refuses an output that is one of the inputs, even with --force.
func (o *output) notAnInput(inputs ...string) error {
	out, err := os.Stat(o.path)
	if err != nil {
		return nil // it does not exist yet
	}
	for _, path := range inputs {
		if in, err := os.Stat(path); err == nil && os.SameFile(in, out) {
			return usage(fmt.Errorf("output %q is the input %q: expected another file", o.path, path))
		}
	}
	return nil
}

// interruptible marks a command that watches its context and ends in order on Ctrl-C, which kills the others
// at once.
func interruptible(c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{"interruptible": "yes"}
	return c
}

// jsonFlag adds --json.
func jsonFlag(c *cobra.Command, asJSON *bool) {
	c.Flags().BoolVar(asJSON, "json", false, "print the results as JSON")
}

// printJSON writes a value to standard output.
func printJSON(c *cobra.Command, value any) error {
	e := json.NewEncoder(c.OutOrStdout())
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

// seedFlag adds --seed.
func seedFlag(c *cobra.Command, seed *uint64) {
	c.Flags().Uint64Var(seed, "seed", 1, "seed of the random numbers")
}
