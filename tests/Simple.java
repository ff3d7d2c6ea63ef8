import java.util.Scanner;

/** An engine that opens the first unopened cell. Java reserves far more memory than it uses. */
public class Simple {
    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) {
            String[] words = input.nextLine().split(" ", 2);
            switch (words[0]) {
                case "mep" -> System.out.println("id name Java\nok");
                case "game", "end" -> System.out.println("ok");
                case "position" -> System.out.println(firstMove(words[1].split("/")) + "\ndone");
                case "quit" -> System.exit(0);
                default -> System.out.println("error unknown " + words[0]);
            }
        }
    }

    static String firstMove(String[] rows) {
        for (int row = 0; row < rows.length; row++) {
            int column = rows[row].indexOf('H');
            if (column >= 0) return "open " + row + " " + column;
        }
        return "stop";
    }
}
